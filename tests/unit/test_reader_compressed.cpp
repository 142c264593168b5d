// The reader: gzip and BGZF of any shape. Damaged data is never taken for text.
#include <algorithm>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "lib/reader/open_input.hpp"
#include "tests/support/reader.hpp"

#ifdef __SANITIZE_ADDRESS__
// HTSlib before 1.17 loses 32 bytes when a thread meets damaged BGZF (samtools/htslib pull request 1529).
extern "C" __attribute__((weak)) const char* __lsan_default_suppressions() { return "leak:libhts"; }
#endif

namespace basesweep::test_reader_compressed {

using namespace reader_test;

TEST_CASE("Truncated compressed data is never taken for complete", "[reader]") {
  const Scratch scratch;
  std::mt19937 random(5);
  const std::string text = ">a\n" + random_dna(200, random) + "\n>b\n" + random_dna(50, random) + "\n";
  const std::string one = gzip(text);
  for (std::size_t size = 1; size < one.size(); ++size) {
    const std::string path = scratch.write("in", one.substr(0, size));
    INFO("gzip, " << size << " of " << one.size());
    CHECK_THROWS_AS(read_all({.paths = {path}, .block_bytes = 1 + size % 100}), DataError);
    if (size > 1) check_error(error_of({.paths = {path}}), {path + ": truncated gzip data"});
  }
  const std::string blocks = bgzf(text);
  for (const int threads : {1, 3}) {
    for (std::size_t size = 1; size < blocks.size(); size += threads) {
      const std::string path = scratch.write("in", blocks.substr(0, size));
      INFO("BGZF, " << size << " of " << blocks.size() << ", threads " << threads);
      CHECK_THROWS_AS(read_all({.paths = {path}, .block_bytes = 1 + size % 100, .threads = threads}), DataError);
    }
    const std::string path = scratch.write("in", blocks.substr(0, blocks.size() - bgzf_block("").size()));
    for (const std::size_t size : {std::size_t{1}, text.size(), std::size_t{1} << 19})
      check_error(error_of({.paths = {path}, .block_bytes = size, .threads = threads}),
                  {path + ": truncated BGZF: no end-of-file block"});
  }
}

TEST_CASE("Damaged compressed data is refused, or the damage changes nothing", "[reader]") {
  const Scratch scratch;
  std::mt19937 random(6);
  const std::string text = ">a\n" + random_dna(150, random) + "\n>b\n" + random_dna(50, random) + "\n";
  for (const Packing& packing : packings()) {
    const std::string good = packing.pack(text);
    if (packing.name == "plain") continue;
    for (std::size_t i = 0; i < good.size(); i += packing.threads) {
      std::string bad = good;
      bad[i] = static_cast<char>(bad[i] ^ (1 << random() % 8));
      const std::string path = scratch.write("in", bad);
      try {
        const std::string fault = fasta_fault(read_all({.paths = {path}, .threads = packing.threads}), text);
        if (!fault.empty()) FAIL_CHECK(packing.name << ", byte " << i << " passed unnoticed: " << fault);
      } catch (const DataError&) {
      }
    }
  }
  std::string bad = gzip(text);
  bad[bad.size() - 6] ^= 1;
  const std::string path = scratch.write("in", bad);
  check_error(error_of({.paths = {path}}), {path + ": damaged gzip data", "compressed byte", "wrong checksum"});
}

TEST_CASE("gzip members of any kind are read to the end", "[reader]") {
  const Scratch scratch;
  std::mt19937 random(8);
  const std::string a = ">a\n" + random_dna(300, random) + "\n", b = ">b\n" + random_dna(30, random) + "\n";
  const std::string end = bgzf_block("");
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"gzip, BGZF", gzip(a) + bgzf(b)},
      {"BGZF, BGZF", bgzf(a) + bgzf(b)},
      {"BGZF, gzip", bgzf(a) + gzip(b)},
      {"BGZF without end, gzip", bgzf_block(a) + gzip(b)},
      {"empty members", gzip("") + gzip(a) + gzip("") + gzip("") + gzip(b) + gzip("")},
      {"empty blocks", end + end + bgzf(a) + end + end + bgzf(b)},
      {"padding", gzip(a) + gzip(b) + std::string(1000, '\0')},
  };
  for (const auto& [name, bytes] : cases) {
    const std::string path = scratch.write("in", bytes);
    for (const int threads : {1, 3}) {
      for (const std::size_t size : {std::size_t{50}, (a + b).size(), std::size_t{1} << 19}) {
        INFO(name << ", threads " << threads << ", size " << size);
        std::string fault;
        CHECK_NOTHROW(fault = fasta_fault(read_all({.paths = {path}, .block_bytes = size, .threads = threads}), a + b));
        CHECK(fault == "");
      }
    }
  }
  for (const std::string& tail : {std::string("x"), std::string(10, '\0') + "x", std::string(3, '\0') + gzip(b)}) {
    const std::string path = scratch.write("in", gzip(a) + tail);
    CHECK_THROWS_AS(read_all({.paths = {path}}), DataError);
    check_error(error_of({.paths = {path}}),
                {path + ": damaged gzip data: something that is not gzip follows at compressed byte"});
  }
}

TEST_CASE("gzip members may straddle the input buffer in any way", "[reader]") {
  const Scratch scratch;
  std::mt19937 random(9);
  std::vector<std::pair<std::string, std::string>> members;
  for (int i = 0; i < 50; ++i) {
    const std::string text = random_dna(random() % (i % 5 == 0 ? 3000 : 40), random) + "\n";
    members.emplace_back(text, gzip(text));
  }
  for (int round = 0; round < 8; ++round) {
    std::string text = ">a\n", packed = gzip(text);
    while (packed.size() < (1U << 20)) {
      const auto& [part, part_packed] = members[random() % members.size()];
      text += part;
      packed += part_packed;
    }
    const auto file = open_input(scratch.write("in", packed), 1);
    REQUIRE(file->compression() == Compression::gzip);
    std::string found(text.size() + 10, '\0');
    std::size_t at = 0;
    while (const std::size_t got =
               file->read(found.data() + at, std::min<std::size_t>(1 + random() % 100000, found.size() - at)))
      at += got;
    found.resize(at);
    CHECK((found == text));
  }
}

}  // namespace basesweep::test_reader_compressed
