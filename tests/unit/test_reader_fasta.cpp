// The reader: FASTA is cut at line starts or inside sequence lines, never in a title.
#include <random>
#include <string>
#include <vector>

#include "tests/support/reader.hpp"

namespace basesweep::test_reader_fasta {

using namespace reader_test;

TEST_CASE("FASTA blocks are the text, cut at line starts or inside sequence lines", "[reader]") {
  const Scratch scratch;
  std::mt19937 random(7);
  const std::string dna = random_dna(500, random);
  const std::vector<std::string> texts = {
      ">a one\nACGT\nACG\n>b\n\n>c\nA\n",
      ">a\r\nACGT\r\nAC\r\n\r\n>b two\r\nACGTACGT\r\n",
      ">only a title",
      ">",
      ">\n",
      ">a\nACGT\n>last title, no break",
      "\n \t\r\n\n>a\nAC\n",
      ">a one\rACGT\rAC\r>b\rACGTACGT\r> \tc d\rA",
      ">a\rACGT\r\rAC\r\n>b two\nAC>GT\r\r\n>c\r>d\n\r>e",
      ">a\n" + dna + "\n" + dna + "\n>" + std::string(290, 't') + "\n" + dna,
      ">a\n" + dna + dna + "\n>b > c\nAC>GT\n\n\n" + dna,
      ">" + std::string(280, 'x') + "\n>" + std::string(300, 'y') + "\nAC\n>" + std::string(200, 'z'),
  };
  for (std::size_t t = 0; t < texts.size(); ++t) {
    for (const Packing& packing : packings()) {
      const std::string path = scratch.write("in", packing.pack(texts[t]));
      for (std::size_t size = 1; size <= 300; size += packing.threads > 1 ? 41 : 1) {
        const auto blocks =
            read_all({.paths = {path}, .block_bytes = size, .threads = packing.threads, .max_title_bytes = 310});
        const std::string fault = fasta_fault(blocks, texts[t]);
        if (!fault.empty()) FAIL_CHECK("text " << t << ", " << packing.name << ", size " << size << ": " << fault);
        if (packing.name == "plain" && blocks.at(0).file == nullptr) FAIL_CHECK("a plain file's text is held");
      }
    }
  }
}

TEST_CASE("FASTA blocks of random text", "[reader]") {
  const Scratch scratch;
  for (unsigned seed = 0; seed < 60; ++seed) {
    std::mt19937 random(seed);
    const std::size_t max_title = 1 + random() % 30;
    const std::string text = random_fasta(1 + random() % 300, max_title, random);
    for (const Packing& packing : {packings()[0], packings()[1], packings()[3]}) {
      const std::string path = scratch.write("in", packing.pack(text));
      for (std::size_t size = 1; size <= 80; ++size) {
        const std::string fault =
            fasta_fault(read_all({.paths = {path}, .block_bytes = size, .max_title_bytes = max_title}), text);
        if (!fault.empty()) FAIL_CHECK("seed " << seed << ", " << packing.name << ", size " << size << ": " << fault);
      }
    }
  }
}

TEST_CASE("A cut never falls into a title of maximum length", "[reader]") {
  const Scratch scratch;
  std::mt19937 random(3);
  for (const std::size_t title : {255U, 256U, 257U, 4095U, 4096U, 4097U, 30000U}) {
    const std::string text = ">a\n" + random_dna(9000, random) + "\n>" + std::string(title - 1, 't') + "\n" +
                             random_dna(40000, random) + "\n>b\n" + random_dna(100, random);
    for (const Packing& packing : {packings()[0], packings()[1]}) {
      const std::string path = scratch.write("in", packing.pack(text));
      std::vector<std::size_t> sizes;
      for (std::size_t size = 1000; size < 50000; size += size < 15000 ? 97 : 997) sizes.push_back(size);
      // Puts the first cut at and around the ends of the title.
      for (const std::size_t end : {text.find(">t"), text.find("t\n") + 1})
        for (std::size_t size = end - 2; size <= end + 2; ++size) sizes.push_back(size);
      for (const std::size_t size : sizes) {
        const std::string fault =
            fasta_fault(read_all({.paths = {path}, .block_bytes = size, .max_title_bytes = title}), text);
        if (!fault.empty()) FAIL_CHECK("title " << title << ", " << packing.name << ", size " << size << ": " << fault);
      }
    }
  }
}

TEST_CASE("A title that is too long is refused before it fills the memory", "[reader]") {
  const Scratch scratch;
  for (const std::string& tail : {std::string(), std::string("\nACGT\n")}) {
    const std::string text = ">" + std::string(100, 't') + tail;  // 101 bytes
    for (const Packing& packing : {packings()[0], packings()[1]}) {
      const std::string path = scratch.write("in", packing.pack(text));
      for (std::size_t size = 1; size <= 90; ++size) {
        const ReaderOptions options{.paths = {path}, .block_bytes = size, .max_title_bytes = 100};
        CHECK_THROWS_AS(read_all(options), DataError);
        check_error(error_of(options), {path + ": ", "header line longer than 100 bytes"});
        CHECK_NOTHROW(read_all({.paths = {path}, .block_bytes = size, .max_title_bytes = 101}));
      }
    }
  }
}

TEST_CASE("FASTA cut at records", "[reader]") {
  const Scratch scratch;
  std::mt19937 random(5);
  const std::string dna = random_dna(200, random);
  std::vector<std::string> texts = {
      ">a one\nACGT\nACG\n>b\n\n>c\nA\n",
      ">a\r\nACGT\r\nAC\r\n\r\n>b two\r\nACGTACGT\r\n",
      ">only a title",
      ">",
      ">\n",
      ">\n>\n>",
      ">a\n>b\n>c",
      ">a\n\n\n>b\n\n",
      ">a\r\n>b\r\n",
      ">a\nACGT\n>last title, no break",
      ">a\nACGT\n>b\nAC",
      "\n \t\r\n\n>a\nAC\n",
      ">a one\rACGT\rAC\r>b\rACGTACGT\r> \tc d\rA",
      ">a\rACGT\r\rAC\r\n>b two\nAC>GT\r\r\n>c\r>d\n\r>e",
      ">a > b\nAC>GT\n>>c\n>d\n" + dna + "\n" + dna + "\n>e\tf\n" + dna,
      "\r\n" + std::string(60, '\n') + ">a\n" + std::string(90, '\n') + "A\n" + std::string(90, '\n') + ">b\nC",
  };
  for (unsigned i = 0; i < 20; ++i) texts.push_back(random_fasta(1 + random() % 300, 310, random));
  for (std::size_t t = 0; t < texts.size(); ++t) {
    const auto truth = naive_records(texts[t]);
    for (const Packing& packing : packings()) {
      const std::string path = scratch.write("in", packing.pack(texts[t]));
      for (std::size_t size = 1; size <= 300; size += packing.threads > 1 ? 41 : 1) {
        const auto blocks = read_all({.paths = {path},
                                      .block_bytes = size,
                                      .threads = packing.threads,
                                      .max_title_bytes = 310,
                                      .whole_records = true});
        const std::string fault = whole_fault(blocks, texts[t], truth);
        if (!fault.empty()) FAIL_CHECK("text " << t << ", " << packing.name << ", size " << size << ": " << fault);
      }
    }
  }
}

}  // namespace basesweep::test_reader_fasta
