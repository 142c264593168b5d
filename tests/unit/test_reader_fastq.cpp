// The reader: FASTQ is cut at records, and a broken record is refused.
#include <malloc.h>

#include <random>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/reader.hpp"

namespace basesweep::test_reader_fastq {

using namespace reader_test;

namespace {

std::size_t heap_bytes() {
  const struct mallinfo2 info = ::mallinfo2();
  return info.uordblks + info.hblkhd;
}

}  // namespace

TEST_CASE("FASTQ blocks hold the records", "[reader]") {
  const Scratch scratch;
  for (unsigned seed = 0; seed < 12; ++seed) {
    std::mt19937 random(seed);
    std::vector<FastqRead> truth;
    const std::string text =
        (seed % 3 == 0 ? "\r\n \n" : "") + random_fastq(1 + random() % 20, seed % 2, truth, random);
    for (const Packing& packing : packings()) {
      const std::string path = scratch.write("in", packing.pack(text));
      for (std::size_t size = 1; size <= 300; size += packing.threads > 1 ? 41 : 1 + size / 50) {
        const std::string fault =
            fastq_fault(read_all({.paths = {path}, .block_bytes = size, .threads = packing.threads}), text, truth);
        if (!fault.empty()) FAIL("seed " << seed << ", " << packing.name << ", size " << size << ": " << fault);
      }
    }
  }
}

TEST_CASE("FASTQ records of every odd shape", "[reader]") {
  const Scratch scratch;
  const std::vector<std::pair<std::string, std::vector<FastqRead>>> cases = {
      {"@a\n\n+\n\n@b\nAC\n+\nII\n", {{"a", ""}, {"b", "AC"}}},
      {"@a\n+\n\n@b x\nAC\n+b x\nII", {{"a", ""}, {"b", "AC"}}},
      {"@a\n\n+\n", {{"a", ""}}},
      {"@a\n\n+", {{"a", ""}}},
      {"@\nA\n+\nI\n\n\n", {{"", "A"}}},
      {"@a\nAC\nGT\n+\n@@\n+@\n", {{"a", "ACGT"}}},
      {"@a\nACG\n+\nI\nI\n\nI\n@b\nA\n+\n@\n", {{"a", "ACG"}, {"b", "A"}}},
      // The third line of quality begins where a quality of one line would have its line break.
      {"@a\nACGTA\n+\nII\nII\nI\n@b\nA\n+\nI\n", {{"a", "ACGTA"}, {"b", "A"}}},
      {"@a\r\nACGT\r\n+\r\nIIII\r\n", {{"a", "ACGT"}}},
      {"@name-of-20-letters-a\tRX:Z:A b\nACGT\n+\nIIII\n@ b c\nACGT\n+\nIIII\n",
       {{"name-of-20-letters-a", "ACGT"}, {"b", "ACGT"}}},
      // The lines of quality are as long together as the sequence, but the first ends with CR LF.
      {"@a\nACGT\n+\nIII\r\nI\n@b\nACG\r\n+\nIII\n", {{"a", "ACGT"}, {"b", "ACG"}}},
  };
  for (const auto& [text, truth] : cases) {
    const std::string path = scratch.write("in", text);
    for (std::size_t size = 1; size < 60; ++size) {
      INFO("text: " << text << "\nsize " << size);
      CHECK(fastq_fault(read_all({.paths = {path}, .block_bytes = size}), text, truth) == "");
    }
  }
}

TEST_CASE("FASTQ errors name path, record and line", "[reader]") {
  const Scratch scratch;
  const std::string good = "@r1\nACGT\n+\nIIII\n";
  const std::vector<std::pair<std::string, std::vector<std::string>>> cases = {
      {"@x\nACGTAC\n+\nIIIII\n@y\nACGT\n+\nIIII\n",
       {"record 'x' (line 1)", "quality has 5 characters, sequence has 6"}},
      {good + "@x y\nACGT\n+\nIIIII\n", {"record 'x' (line 5)", "quality has 5 characters, sequence has 4"}},
      {good + "@x\nACGT\n+\n\n@y\nACGT\n+\nIIII\n",
       {"record 'x' (line 5)", "quality has 0 characters, sequence has 4"}},
      {good + "\n\n@x\nACGT\n@y\nACGT\n+\nIIII\n", {"record 'x' (line 7)", "no '+' line"}},
      {good + "ACGT\n", {"line 5: expected '@'", "'A'"}},
      {good + "@x", {"record 'x' (line 5)", "truncated", "before the sequence"}},
      {good + "@x\nACGT", {"record 'x' (line 5)", "truncated", "before the '+' line"}},
      {good + "@x\nAC\nGT\n+", {"record 'x' (line 5)", "quality has 0 characters, sequence has 4, and the text ends"}},
      {good + "@x\nACGT\n+\nII",
       {"record 'x' (line 5)", "quality has 2 characters, sequence has 4, and the text ends"}},
      {good + "@" + std::string(200, 'x') + "\nA\n+\nI\n", {"line 5: header line longer than 100 bytes"}},
      {good + "@" + std::string(200, 'x'), {"line 5: header line longer than 100 bytes"}},
  };
  for (const auto& [text, parts] : cases) {
    for (const Packing& packing : {packings()[0], packings()[1]}) {
      const std::string path = scratch.write("in", packing.pack(text));
      for (std::size_t size = 1; size < 60; size += 3) {
        const ReaderOptions options{.paths = {path}, .block_bytes = size, .max_title_bytes = 100};
        CHECK_THROWS_AS(read_all(options), DataError);
        check_error(error_of(options), {path + ": "});
        check_error(error_of(options), parts);
      }
    }
  }
}

TEST_CASE("tags in titles of FASTQ may be longer than a title", "[reader]") {
  const Scratch scratch;
  const std::string text = "@x\tmv:B:c" + std::string(5000, ',') + "\nACGT\n+\nIIII\n";
  for (const Packing& packing : {packings()[0], packings()[1]}) {
    const std::string path = scratch.write("in", packing.pack(text));
    for (std::size_t size = 1; size < 6000; size += 700) {
      const std::vector<RawBlock> blocks =
          read_all({.paths = {path}, .block_bytes = size, .threads = packing.threads, .max_title_bytes = 100});
      REQUIRE(blocks.size() == 1);
      CHECK(blocks[0].size == text.size());
    }
  }
}

TEST_CASE("FASTQ qualities, on one line or several", "[reader]") {
  const Scratch scratch;
  std::vector<std::string> texts = {
      "@a\n\n+\n\n@b\nAC\n+\nII\n",  "@a\n\n+",
      "@a\nAC\nGT\n+\n@@\n+@\n",     "@a\nACG\n+\nI\nJ\n\nK\n@b\nA\n+\n@\n",
      "@a\nACG\n+\n\nIJK\n",         "@a\r\nAC\r\nGT\r\n+\r\nIJ\r\n\r\nK\r\nL",
      "@a\n+\n\n@b x\nAC\n+b x\nII",
  };
  std::mt19937 random(31);
  for (unsigned i = 0; i < 20; ++i) {
    std::vector<FastqRead> ignored;
    texts.push_back(random_fastq(1 + random() % 20, i % 2 != 0, ignored, random));
  }
  for (std::size_t t = 0; t < texts.size(); ++t) {
    const auto truth = naive_records(texts[t]);
    for (const Packing& packing : {packings()[0], packings()[1]}) {
      const std::string path = scratch.write("in", packing.pack(texts[t]));
      for (std::size_t size = 1; size <= 300; ++size) {
        for (const bool whole : {false, true}) {
          const auto blocks = read_all({.paths = {path}, .block_bytes = size, .whole_records = whole});
          const std::string fault = whole_fault(blocks, texts[t], truth);
          if (!fault.empty()) FAIL_CHECK("text " << t << ", " << packing.name << ", size " << size << ": " << fault);
        }
      }
    }
  }
}

TEST_CASE("a long FASTQ record takes little more memory than its text", "[reader]") {
  const Scratch scratch;
  const std::string letters(9'500'000, 'A');
  const std::string text = "@r\n" + letters + "\n+\n" + std::string(letters.size(), 'I') + "\n";
  Reader reader({.paths = {scratch.write("in", text)}});
  const std::size_t before = heap_bytes();
  const auto block = reader.next();
  REQUIRE(block);
  CHECK(heap_bytes() - before < text.size() + text.size() / 4);
  CHECK(block->size == text.size());
  CHECK_FALSE(reader.next());
}

}  // namespace basesweep::test_reader_fastq
