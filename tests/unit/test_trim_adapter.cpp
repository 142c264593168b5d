// Adapters as words: letters, ends, parameters, links, files; words that are none.
#include "lib/trim/adapter.hpp"

#include <string>

#include "lib/base/error.hpp"
#include "tests/support/catch.hpp"

namespace basesweep::test_trim_adapter {

namespace {

Adapter three_prime(const std::string& word, const AdapterDefaults& defaults = {}) {
  return parse_adapter(word, AdapterKind::three_prime, defaults);
}
Adapter five_prime(const std::string& word) { return parse_adapter(word, AdapterKind::five_prime, {}); }

}  // namespace

TEST_CASE("an adapter has a name, letters, an end and parameters") {
  const Adapter plain = three_prime("acguIA{4}n");
  REQUIRE(plain.parts.size() == 1);
  CHECK(plain.name.empty());
  CHECK(plain.parts[0].sequence == "ACGTNAAAAN");
  CHECK(plain.parts[0].min_overlap == 3);
  CHECK(plain.parts[0].placement == AdapterPlacement::anywhere);
  const Adapter named = three_prime("one = ACGTACGT$ ; e=0.25; noindels");
  CHECK(named.name == "one");
  CHECK(named.parts[0].placement == AdapterPlacement::anchored);
  CHECK(named.parts[0].min_overlap == 8);
  CHECK(named.parts[0].max_error_rate == 0.25);
  CHECK(!named.parts[0].indels);
  CHECK(five_prime("XXACGT").parts[0].placement == AdapterPlacement::non_internal);
  CHECK(five_prime("^ACGT").parts[0].placement == AdapterPlacement::anchored);
  CHECK(five_prime("ACGT;rightmost;o=2").parts[0].rightmost);
  CHECK(three_prime("ACGT...").parts[0].kind == AdapterKind::five_prime);
  CHECK(three_prime("...ACGT").parts[0].kind == AdapterKind::three_prime);
  CHECK(three_prime("ACGTNNACGT", {.max_errors = 2}).parts[0].max_error_rate == 0.25);
}

TEST_CASE("linked adapters are required as their letter and their ends say") {
  const auto required = [](const Adapter& adapter, bool front, bool back) {
    REQUIRE(adapter.is_linked());
    CHECK(adapter.required[0] == front);
    CHECK(adapter.required[1] == back);
  };
  required(five_prime("AAC...GGT"), true, true);
  required(three_prime("AAC...GGT"), false, false);
  required(three_prime("^AAC...GGT"), true, false);
  required(three_prime("^AAC;optional...GGT$"), false, true);
  required(five_prime("AAC...GGT;optional;o=2"), true, false);
  CHECK(five_prime("pair=AAC...GGT").name == "pair");
}

TEST_CASE("files of adapters") {
  CHECK(!adapter_file_of("ACGT"));
  const auto file = adapter_file_of("^file:a.fa;e=0.2");
  REQUIRE(file);
  CHECK(file->path == "a.fa");
  CHECK(file->word_of("ACGT") == "^ACGT;e=0.2");
  CHECK(file->word_of("ACGT...TTT") == "^ACGT;e=0.2...TTT;e=0.2");
  CHECK(adapter_file_of("file$:a.fa")->word_of("ACGT;o=2") == "ACGT;o=2$");
  CHECK(adapter_file_of("file:a.fa")->word_of("ACGT") == "ACGT");
}

TEST_CASE("words that are no adapters") {
  for (const char* const word :
       {"", "X", "NNN", "ACGU1", "^ACGT", "ACGT;what", "ACGT;o=0", "ACGT;e", "ACGT;e=x", "A{", "{3}", "A{x}", "ACGT$X",
        "ACGTX$", "ACGT$;o=2", "ACGT;e=1;e=2", "ACGT;required", "...", "AC;e=5"})
    CHECK_THROWS_AS(three_prime(word), UsageError);
  for (const char* const word : {"ACGT$", "ACGTX", "...ACGT", "^XACGT", "^ACGT;rightmost"})
    CHECK_THROWS_AS(five_prime(word), UsageError);
  for (const char* const word : {"ACGT...ACGT", "ACGT...", "^ACGT", "ACGT;rightmost"})
    CHECK_THROWS_AS(parse_adapter(word, AdapterKind::either, {}), UsageError);
}

}  // namespace basesweep::test_trim_adapter
