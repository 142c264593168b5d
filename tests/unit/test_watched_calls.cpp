// Progress of the library's calls, and their end by it.
#include <basesweep/basesweep.hpp>
#include <basesweep/guides.hpp>
#include <basesweep/map.hpp>
#include <basesweep/pcr.hpp>
#include <basesweep/pwm.hpp>
#include <chrono>
#include <fstream>
#include <random>
#include <thread>

#include <sys/stat.h>

#include "tests/support/catch.hpp"
#include "tests/support/files.hpp"

namespace basesweep::test_watched_calls {

namespace {

std::string random_bases(std::size_t length) {
  std::mt19937 random(9);
  std::string bases(length, 'A');
  for (char& base : bases) base = "ACGT"[random() % 4];
  return bases;
}

}  // namespace

TEST_CASE("progress is asked ten times a second while nothing is found", "[batches]") {
  const support::ScratchFolder folder;
  const std::string path = folder.path("pipe");
  REQUIRE(mkfifo(path.c_str(), 0600) == 0);
  std::thread writer([&path] {
    std::ofstream to(path);
    to << ">r\nACGT\n" << std::flush;
    std::this_thread::sleep_for(std::chrono::milliseconds(1000));
    to << "ACGT\n";
  });
  int calls = 0;
  std::vector<Progress> seen;
  const std::thread::id own = std::this_thread::get_id();
  const Searcher searcher({{"x", "GGGGGG"}});
  searcher.search_files(
      {path}, [](const SearchHit&) { FAIL("a hit"); },
      [&](const Progress& progress) {
        CHECK(std::this_thread::get_id() == own);
        seen.push_back(progress);
        return ++calls != 0;
      });
  writer.join();
  CHECK(calls >= 11);
  CHECK(seen.front().bases == 0);
  CHECK(seen.back().bases == 8);
  CHECK(!seen.back().bytes);  // of a pipe
}

TEST_CASE("progress says how much was read and found", "[batches]") {
  const support::ScratchFolder folder;
  const std::string path = folder.path("text.fa");
  const std::string bases = random_bases(100'000);
  support::write_file(path, ">r\n" + bases + "\n");
  Progress last;
  const ProgressFunction note = [&](const Progress& progress) {
    last = progress;
    return true;
  };
  const Searcher searcher({{"x", "ACG"}});
  const auto summary = searcher.search_files({path}, {.columns = {"start"}, .progress = note}, [](const Batch&) {});
  CHECK(last.bases == 100'000);
  CHECK(last.hits == summary.hits);
  CHECK(last.bytes == 100'004);
  CHECK(last.bytes_read == 100'004);
  last = {};
  CHECK(!searcher.count_files({path}, note).empty());
  CHECK(last.bases == 100'000);
}

TEST_CASE("progress ends all calls", "[batches]") {
  const std::string bases = random_bases(3'000'000);
  const std::vector<NamedSequence> records(20, {"r", bases});
  const int most = GENERATE(0, 2);  // calls before the end
  int calls = 0;
  const ProgressFunction stop = [&](const Progress&) { return calls++ < most; };
  const TakeBatch ignore = [](const Batch&) {};
  const ColumnOptions columns{.progress = stop};
  std::vector<NamedPattern> patterns;
  std::vector<NamedGuide> guides;
  for (std::size_t i = 0; i < 50; ++i) {
    patterns.push_back({"p" + std::to_string(i), bases.substr(i * 40, 24)});
    guides.push_back({"g" + std::to_string(i), bases.substr(i * 40, 20)});
  }
  SECTION("search") {
    const Searcher searcher(patterns, {.edits = 6, .threads = 1, .device = "cpu", .algorithm = "myers"});
    CHECK_THROWS_AS(searcher.search(records, columns, ignore), Cancelled);
    calls = 0;
    CHECK_THROWS_AS(searcher.search(
                        records, [](const SearchHit&) {}, stop),
                    Cancelled);
    calls = 0;
    CHECK_THROWS_AS(searcher.count(records, stop), Cancelled);
    const ProgressFunction fail = [](const Progress&) -> bool { throw std::runtime_error("stop"); };
    CHECK_THROWS_WITH(searcher.count(records, fail), "stop");
  }
  SECTION("pcr") {
    const Pcr pcr({{"x", "ACGTAGGTCA", "GGATCATTAG"}}, {.edits = 3, .threads = 1, .device = "cpu"});
    CHECK_THROWS_AS(pcr.search(records, columns, ignore), Cancelled);
  }
  SECTION("pwm") {
    std::vector<WeightMatrix> matrices;
    for (int i = 0; i < 100; ++i) {
      WeightMatrix& matrix = matrices.emplace_back();
      matrix.id = std::to_string(i);
      for (int j = 0; j < 8; ++j) {
        matrix.columns.push_back({1.0 + i % 7, 2.0 + j % 5, 3.0 + (i + j) % 3, 4.0});
      }
    }
    const Pwm pwm(matrices, {.p_value = 0.05, .threads = 1, .device = "cpu"});
    CHECK_THROWS_AS(pwm.search(records, columns, ignore), Cancelled);
  }
  SECTION("guides") {
    const Guides set(guides, {.mismatches = 6, .max_dna_bulges = 2, .threads = 1, .device = "cpu"});
    CHECK_THROWS_AS(set.search(records, columns, ignore), Cancelled);
    calls = 0;
    CHECK_THROWS_AS(set.search(records, {}, stop), Cancelled);
  }
  SECTION("map") {
    const std::span<const NamedSequence> reference(records.data(), 1);
    const Mapper mapper(reference, {.edits = 8, .threads = 1, .device = "cpu"});
    std::vector<NamedSequence> reads;
    for (std::size_t i = 0; i < 100'000; ++i) reads.push_back({"read", std::string_view(bases).substr(i * 20, 150)});
    CHECK_THROWS_AS(mapper.map(reads, columns, ignore), Cancelled);
  }
  CHECK(calls > 0);
}

}  // namespace basesweep::test_watched_calls
