// Compiled sets: what is written is read again, damage is refused, and tables are used only where they fit.
#include "lib/compiled/compiled_set.hpp"

#include <basesweep/basesweep.hpp>
#include <cstring>
#include <random>
#include <utility>

#include "lib/base/error.hpp"
#include "lib/reader/crc64.hpp"
#include "lib/search/make_matcher.hpp"
#include "lib/search/pattern_set.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/files.hpp"

namespace basesweep::test_compiled_set {

using Catch::Matchers::ContainsSubstring;

namespace {

class Text final : public ByteSink {
 public:
  void write(std::string_view text) override { bytes += text; }
  std::string bytes;
};

std::string printed(const CompiledSet& set) {
  Text text;
  write_compiled_set(text, set, 2);
  return text.bytes;
}

std::string random_bases(std::mt19937& random, std::size_t length) {
  std::string bases;
  while (bases.size() < length) bases += "ACGT"[random() % 4];
  return bases;
}

CompiledSet small_set() {
  CompiledSet set;
  set.kind = SetKind::approximate;
  set.options.edits = {.edits = 2, .rate = {}, .max_mismatches = 1, .max_indels = {}, .clamp_5prime = 3};
  set.options.strand = StrandChoice::minus;
  set.options.palindromes = PalindromeChoice::both;
  set.patterns = {{"one", "GATTACAGATTACA", ""}, {"", "ACGTNNRYACGT", ""}};
  set.patterns[1].edits = 4;
  set.patterns[1].clamp_3prime = 0;
  return set;
}

std::string refusal(const std::string& path) {
  try {
    read_compiled_set(path, 1);
  } catch (const DataError& error) {
    return error.what();
  }
  return "";
}

// Computes the checksum of the header anew.
void mend_header(std::string& file) {
  std::uint32_t sections = 0;
  std::memcpy(&sections, file.data() + 12, sizeof sections);
  std::memset(file.data() + 24, 0, 8);
  const std::uint64_t checksum = crc64(std::as_bytes(std::span(file.data(), 64 + 64 * sections)));
  std::memcpy(file.data() + 24, &checksum, sizeof checksum);
}

// A set of guides with 3 mismatches, and its table.
struct Guides {
  std::vector<NamedPattern> named;
  CompiledSet set;
  std::unique_ptr<PatternSet> patterns;
  std::unique_ptr<Matcher> matcher;  // which has the table
};

Guides compiled_guides(std::mt19937& random) {
  Guides guides;
  guides.set.kind = SetKind::approximate;
  guides.set.options.edits = {.edits = 3, .rate = {}, .max_mismatches = {}, .max_indels = 0};
  for (int i = 0; i < 1000; ++i) {
    guides.set.patterns.push_back({"g" + std::to_string(i), random_bases(random, 20), ""});
    guides.named.push_back({guides.set.patterns.back().name, guides.set.patterns.back().sequence});
  }
  guides.patterns = std::make_unique<PatternSet>(guides.set.patterns, StrandChoice::both, PalindromeChoice::once,
                                                 guides.set.options.edits);
  StoredTables tables;
  tables.keep = [&](const StoredTable& table) { guides.set.tables.all.push_back(table); };
  MatcherOptions matching;
  matching.algorithm = Algorithm::neighbors;
  matching.device = Device::cpu;
  matching.expected_bases = 1'000'000'000'000;
  matching.tables = &tables;
  guides.matcher = make_matcher(*guides.patterns, matching);
  return guides;
}

std::string hits_of(const Searcher& searcher, const std::string& text) {
  std::string lines;
  for (const SearchHit& hit : searcher.find(text)) {
    lines +=
        std::to_string(hit.start) + " " + std::to_string(hit.pattern) + hit.strand + std::to_string(hit.edits) + "\n";
  }
  return lines;
}

}  // namespace

TEST_CASE("compiled set: all that is written is read again", "[compiled]") {
  const support::ScratchFolder folder;
  const std::string path = folder.path("set.bsx");
  support::write_file(path, printed(small_set()));
  CHECK(is_compiled_set(path));
  CHECK_FALSE(is_compiled_set(folder.path("none")));
  const CompiledSet read = read_compiled_set(path, 3);
  CHECK(read.kind == SetKind::approximate);
  CHECK(read.options.edits.edits == 2U);
  CHECK_FALSE(read.options.edits.rate);
  CHECK(read.options.edits.max_mismatches == 1U);
  CHECK_FALSE(read.options.edits.max_indels);
  CHECK(read.options.edits.clamp_5prime == 3);
  CHECK(read.options.strand == StrandChoice::minus);
  CHECK(read.options.palindromes == PalindromeChoice::both);
  REQUIRE(read.patterns.size() == 2);
  CHECK(read.patterns[0].sequence == "GATTACAGATTACA");
  CHECK(read.patterns[0].file == path);
  CHECK_FALSE(read.patterns[0].has_limits());
  CHECK(read.patterns[1].name.empty());
  CHECK(read.patterns[1].edits == 4U);
  CHECK_FALSE(read.patterns[1].clamp_5prime);
  CHECK(read.patterns[1].clamp_3prime == 0U);

  CompiledSet pairs;
  pairs.kind = SetKind::pairs;
  pairs.options.edits = {.edits = {}, .rate = 0.15};
  pairs.pairs = {{"p", "ACGT", "TTGA", "pf", "pr", "GGG", 10, {}, 1, "pool 2", "a.tsv", 7, 3},
                 {"q", "AC", "TT", "qf", "qr", "", {}, {}, {}, "", "b.tsv", 1, 0}};
  support::write_file(path, printed(pairs));
  const CompiledSet again = read_compiled_set(path, 1);
  REQUIRE(again.pairs.size() == 2);
  CHECK((again.pairs[0].file == path && again.pairs[1].file == path + ": file 2"));
  CHECK((again.pairs[0].reverse_line == 3 && again.pairs[1].reverse_line == 0));
  const PrimerPair& pair = again.pairs[0];
  CHECK(pair.name + pair.forward + pair.reverse + pair.forward_name + pair.reverse_name + pair.probe + pair.pool ==
        "pACGTTTGApfprGGGpool 2");
  CHECK((pair.min_size == 10 && !pair.max_size && pair.edits == 1U && pair.line == 7));
  CHECK(again.options.edits.rate == 0.15);
}

TEST_CASE("compiled set: every truncation and every changed bit is refused", "[compiled]") {
  const support::ScratchFolder folder;
  const std::string path = folder.path("set.bsx");
  CompiledSet set = small_set();
  const std::string array = "an array of a table";
  set.tables.all.push_back({"room", {1, 2, 3}, {0, 1}, {std::as_bytes(std::span(array))}});
  const std::string whole = printed(set);
  support::write_file(path, whole);
  REQUIRE(refusal(path).empty());
  for (std::size_t size = 0; size < whole.size(); ++size) {
    support::write_file(path, whole.substr(0, size));
    CAPTURE(size);
    REQUIRE(!refusal(path).empty());
  }
  for (std::size_t bit = 0; bit < 8 * whole.size(); ++bit) {
    std::string changed = whole;
    changed[bit / 8] = static_cast<char>(changed[bit / 8] ^ 1 << bit % 8);
    support::write_file(path, changed);
    CAPTURE(bit);
    REQUIRE(!refusal(path).empty());
  }
  support::write_file(path, whole + std::string(64, '\0'));
  CHECK_THAT(refusal(path), ContainsSubstring("is not complete, or was changed"));
}

TEST_CASE("compiled set: other versions, and sections that another program made, are refused", "[compiled]") {
  const support::ScratchFolder folder;
  const std::string path = folder.path("set.bsx");
  std::string other = printed(small_set());
  other.replace(32, 32, "99.1" + std::string(28, '\0'));
  mend_header(other);
  support::write_file(path, other);
  CHECK_THAT(refusal(path), ContainsSubstring("the set was compiled by basesweep 99.1, this is ") &&
                                ContainsSubstring("write it again with 'basesweep compile'"));

  CompiledSet odd = small_set();
  odd.patterns[0].name = "a\tb";
  support::write_file(path, printed(odd));
  CHECK_THAT(refusal(path), ContainsSubstring("section 'patterns' of the compiled set is not as"));
  odd = small_set();
  odd.options.edits.rate = 0.5;
  support::write_file(path, printed(odd));
  CHECK_THAT(refusal(path), ContainsSubstring("section 'options'"));
  support::write_file(path, printed(CompiledSet{}));
  CHECK_THAT(refusal(path), ContainsSubstring("section 'options'"));
  Text text;
  write_sections(text, {}, 1);
  support::write_file(path, text.bytes);
  CHECK_THAT(refusal(path), ContainsSubstring("has no section 'options'"));
}

TEST_CASE("compiled set: a searcher takes it, with its table, and gives the same hits", "[compiled]") {
  const support::ScratchFolder folder;
  const std::string path = folder.path("set.bsx");
  std::mt19937 random(19);
  Guides guides = compiled_guides(random);
  REQUIRE(guides.set.tables.all.size() == 1);
  std::string text = random_bases(random, 20'000);
  for (const NamedPattern& guide : guides.named) text += guide.bases.substr(0, 18) + random_bases(random, 9);
  const std::string expected = hits_of(Searcher(guides.named, {.edits = 3, .max_indels = 0}), text);
  REQUIRE(expected.size() > 1000);

  support::write_file(path, printed(guides.set));
  const Searcher searcher = Searcher::load(path, {.device = "cpu"});
  CHECK_THAT(searcher.method(), ContainsSubstring("neighbors"));
  for (int i = 0; i < 3; ++i) CHECK(hits_of(searcher, text) == expected);  // one searcher for many texts
  CHECK(searcher.patterns().size() == guides.named.size());
  CHECK(hits_of(Searcher::load(path, {.edits = 3, .max_indels = 0}), text) == expected);
  CHECK_THROWS_WITH(Searcher::load(path, {.edits = 2}), ContainsSubstring("edits 2: ") && ContainsSubstring("with 3"));
  CHECK_THROWS_WITH(Searcher::load(path, {.clamp_3prime = 2}), ContainsSubstring("clamp_3prime 2: "));
  CHECK_THROWS_WITH(Searcher::load(path, {.strands = SearchOptions::Strands::plus}), ContainsSubstring("with both"));
  CHECK_THROWS_AS(Searcher::load(folder.path("none")), IoError);

  SECTION("a table that is not sound, or of other seeds, is not used") {
    const StoredTable& table = guides.set.tables.all[0];
    const auto changed = [&](std::size_t array, std::size_t number, std::uint32_t value) {
      std::vector<std::uint32_t> numbers(table.arrays[array].size() / sizeof(std::uint32_t));
      std::memcpy(numbers.data(), table.arrays[array].data(), table.arrays[array].size());
      numbers[number] = value;
      CompiledSet bad = guides.set;
      bad.tables.all[0].arrays[array] = std::as_bytes(std::span(numbers));
      return printed(bad);
    };
    std::vector<std::string> files;
    files.push_back(changed(0, 0, 1U << 31));  // starts that are not sorted
    files.push_back(changed(0, table.arrays[0].size() / 4 - 1, 5));
    files.push_back(changed(2, 17, 1U << 31));  // a seed that is none
    const auto with = [&](auto change) {
      CompiledSet bad = guides.set;
      change(bad.tables.all[0]);
      files.push_back(printed(bad));
    };
    with([](StoredTable& one) { one.key[0] = 99; });
    with([](StoredTable& one) { one.key[1] = 11; });
    with([](StoredTable& one) { one.key[1] = 1'000'000; });
    with([](StoredTable& one) { ++one.key[2]; });
    with([](StoredTable& one) { one.key.clear(); });
    with([](StoredTable& one) { one.arrays.pop_back(); });
    with([](StoredTable& one) { one.arrays[1] = one.arrays[1].first(one.arrays[1].size() - 4); });
    with([](StoredTable& one) { one.arrays[0] = one.arrays[0].first(3); });
    with([](StoredTable& one) { one.queries.pop_back(); });
    with([](StoredTable& one) { one.queries[0] = 1U << 31; });
    with([](StoredTable& one) { std::swap(one.queries[0], one.queries[1]); });
    for (std::size_t i = 0; i < files.size(); ++i) {
      CAPTURE(i);
      support::write_file(path, files[i]);
      CHECK(hits_of(Searcher::load(path, {.device = "cpu"}), text) == expected);
    }
  }
}

}  // namespace basesweep::test_compiled_set
