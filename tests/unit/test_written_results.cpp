// Results that the library writes to files; and little text, which the calling thread searches alone.
#include <basesweep/basesweep.hpp>
#include <basesweep/map.hpp>
#include <basesweep/pcr.hpp>
#include <cstdint>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "tests/support/catch.hpp"
#include "tests/support/files.hpp"

namespace basesweep::test_written_results {

using Catch::Matchers::ContainsSubstring;

namespace {

std::string random_bases(std::size_t length) {
  std::mt19937 random(7);
  std::string bases;
  while (bases.size() < length) bases += "ACGT"[random() % 4];
  return bases;
}

std::vector<std::int64_t> starts_of(const Searcher& searcher, std::string_view bases) {
  std::vector<std::int64_t> starts;
  const NamedSequence record{"r", bases};
  searcher.search({&record, 1}, {.columns = {"start"}}, [&starts](const Batch& batch) {
    const auto some = batch.integers("start");
    starts.insert(starts.end(), some.begin(), some.end());
  });
  return starts;
}

}  // namespace

TEST_CASE("library: hits are written as BED, from memory and from a file") {
  const support::ScratchFolder folder;
  const Searcher searcher({{"site", "GATTACA"}}, {.edits = 1});
  const NamedSequence record{"r", "CCGATTACACCGATTCACC"};
  const std::string expected = "r\t2\t9\tsite\t1000\t+\nr\t11\t17\tsite\t857\t+\n";
  CHECK(searcher.write({&record, 1}, folder.path("memory.bed")).hits == 2);
  CHECK(support::read_file(folder.path("memory.bed")) == expected);
  support::write_file(folder.path("r.fa"), ">r\nCCGATTACACCGATTCACC\n");
  CHECK(searcher.write_files({folder.path("r.fa")}, folder.path("file.txt"), {.format = "bed"}).hits == 2);
  CHECK(support::read_file(folder.path("file.txt")) == expected);
  CHECK_THROWS_WITH(searcher.write_files({folder.path("r.fa")}, folder.path("r.fa"), {.format = "bed"}),
                    ContainsSubstring("the same file is input and output"));
  CHECK_THROWS_WITH(searcher.write({&record, 1}, folder.path("x.bed"), {.columns = {"start"}}),
                    ContainsSubstring("BED has no columns to choose"));
  CHECK_THROWS_WITH(searcher.write({&record, 1}, folder.path("x.cram")), ContainsSubstring("cannot write .cram"));
  CHECK(folder.names() == std::vector<std::string>{"file.txt", "memory.bed", "r.fa"});
}

TEST_CASE("library: a file that is not complete does not appear") {
  const support::ScratchFolder folder;
  const Searcher searcher({{"a", "ACG"}});
  const std::string bases = random_bases(400'000);
  const NamedSequence record{"r", bases};
  CHECK_THROWS_AS(
      searcher.write({&record, 1}, folder.path("hits.tsv"), {.progress = [](const Progress&) { return false; }}),
      Cancelled);
  int calls = 0;
  const ProgressFunction fails = [&calls](const Progress&) -> bool {
    if (++calls == 2) throw std::runtime_error("enough");
    return true;
  };
  CHECK_THROWS_WITH(searcher.write({&record, 1}, folder.path("hits.tsv"), {.progress = fails}), "enough");
  const NamedSequence bad{"r", "ACG\x01"};
  CHECK_THROWS_AS(searcher.write({&bad, 1}, folder.path("hits.tsv")), DataError);
  CHECK(folder.names().empty());
}

TEST_CASE("library: the calling thread alone finds what workers find") {
  // Dense hits make blocks small, so that there are more of them than tokens.
  const std::string bases = random_bases(130'000);
  const std::string more = bases + random_bases(200'000);  // is searched by workers
  for (const char* const pattern : {"N", "AN", "ACG", "ACGTACGT"}) {
    for (const bool edits : {false, true}) {
      if (edits && pattern[1] == '\0') continue;
      CAPTURE(pattern, edits);
      SearchOptions options;
      if (edits) options.edits = pattern[2] == '\0' ? 0 : 1;
      options.threads = 4;
      const Searcher searcher({{"p", pattern}}, options);
      const std::vector<std::int64_t> alone = starts_of(searcher, bases);
      std::vector<std::int64_t> workers = starts_of(searcher, more);
      // near the end of the shorter text they may differ
      const auto inside = [](std::vector<std::int64_t> starts) {
        std::erase_if(starts, [](std::int64_t start) { return start > 129'900; });
        return starts;
      };
      CHECK(!alone.empty());
      CHECK(inside(alone) == inside(workers));
      std::uint64_t counted = 0;
      for (const HitCount& count : searcher.count(std::vector<NamedSequence>{{"r", bases}})) counted += count.hits;
      CHECK(counted == alone.size());
    }
  }
}

TEST_CASE("library: errors and cancelling end a search of little text") {
  const std::string bases = random_bases(100'000);
  const NamedSequence record{"r", bases};
  const Searcher searcher({{"p", "N"}});
  CHECK_THROWS_AS(searcher.search({&record, 1}, {.columns = {"start"}, .batch_rows = 100},
                                  [](const Batch&) { throw std::runtime_error("no more"); }),
                  std::runtime_error);
  CHECK_THROWS_AS(
      searcher.search({&record, 1}, {.columns = {"start"}, .progress = [](const Progress&) { return false; }},
                      [](const Batch&) {}),
      Cancelled);
  CHECK(starts_of(searcher, bases).size() == bases.size());  // and the searcher is as good as before
}

TEST_CASE("library: reads are written as SAM, with those that have no place if asked for") {
  const support::ScratchFolder folder;
  const NamedSequence reference{"chr", "ACGTTGCATTACCGGATAAC"};
  const std::vector<NamedSequence> reads{{"a", "TTGCATTACC"}, {"b", "GGGGGGGGGG"}};
  for (const bool unmapped : {false, true}) {
    const Mapper mapper({&reference, 1}, {.edits = 0, .unmapped = unmapped});
    CHECK(mapper.write(reads, folder.path("reads")).mapped == 1);  // SAM, where the name says nothing
    const std::string text = support::read_file(folder.path("reads"));
    CHECK_THAT(text, ContainsSubstring("\na\t0\tchr\t4\t"));
    CHECK((text.find("\nb\t4\t*\t0\t") != std::string::npos) == unmapped);
  }
}

}  // namespace basesweep::test_written_results
