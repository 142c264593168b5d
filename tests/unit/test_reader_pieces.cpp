// BGZF whose runs of blocks become blocks of text as they are: the text, records and faults of the same text read plain
// or in small blocks.
#include <algorithm>
#include <chrono>
#include <random>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "lib/reader/input_file.hpp"
#include "lib/reader/open_input.hpp"
#include "tests/support/environment.hpp"
#include "tests/support/reader.hpp"

namespace basesweep::test_reader_pieces {

using namespace reader_test;

namespace {

constexpr std::size_t kSmallestPiece = 1U << 17;

// BGZF with blocks of random sizes, some of them empty.
std::string random_bgzf(const std::string& text, std::mt19937& random, std::vector<std::size_t>* begins = nullptr) {
  const std::size_t most = random() % 3 == 0 ? 3000 : 65280;
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    if (begins != nullptr) begins->push_back(out.size());
    const std::size_t size = random() % 2 == 0 ? most : random() % most;
    out += bgzf_block(text.substr(at, size));
    at += size;
  }
  return out + bgzf_block("");
}

std::string text_of(const std::vector<RawBlock>& blocks) {
  std::string text;
  for (const RawBlock& block : blocks) text += reader_test::text_of(block);
  return text;
}

// Returns the text of a file that a run gets, only whole records or all, and the error at its end.
std::pair<std::string, std::string> read_until_fault(const ReaderOptions& options) {
  Reader reader(options);
  std::exception_ptr fault;
  const std::vector<RawBlock> blocks = read_some(reader, SIZE_MAX, fault);
  std::string error;
  try {
    if (fault) std::rethrow_exception(fault);
  } catch (const Error& other) {
    error = other.what();
  }
  return {text_of(blocks), error};
}

}  // namespace

TEST_CASE("FASTA in pieces of BGZF", "[reader][pieces]") {
  const Scratch scratch;
  const std::uint64_t seed = support::test_seed();
  std::mt19937 random(seed);
  for (std::size_t round = 0; round < support::test_cases(40); ++round) {
    const std::string text = long_fasta(random() % 3'000'000, random);
    const std::string path = scratch.write("in", random_bgzf(text, random));
    const std::size_t block_bytes = kSmallestPiece + random() % (random() % 4 == 0 ? 3'000'000 : 400'000);
    for (const int threads : {1, 3}) {
      INFO("round " << round << ", " << threads << " threads, BASESWEEP_TEST_SEED=" << seed);
      const ReaderOptions options{.paths = {path}, .block_bytes = block_bytes, .threads = threads};
      const std::vector<RawBlock> blocks = read_all(options);
      CHECK(fasta_fault(blocks, text) == "");
      for (const RawBlock& block : blocks) CHECK(block.size <= block_bytes + block_bytes / 2 + (1U << 16));
      ReaderOptions whole = options;
      whole.whole_records = true;
      CHECK(whole_fault(read_all(whole), text, naive_records(text)) == "");
    }
  }
}

TEST_CASE("FASTQ in pieces, plain and of BGZF", "[reader][pieces]") {
  const Scratch scratch;
  const std::uint64_t seed = support::test_seed();
  std::mt19937 random(seed);
  for (std::size_t round = 0; round < support::test_cases(40); ++round) {
    const std::string text = long_fastq(random() % 3'000'000, round % 3 == 0, random);
    const std::string path = scratch.write("in", round % 2 == 0 ? text : random_bgzf(text, random));
    const std::size_t block_bytes = kSmallestPiece + random() % (random() % 4 == 0 ? 3'000'000 : 400'000);
    for (const int threads : {1, 3}) {
      INFO("round " << round << ", " << threads << " threads, BASESWEEP_TEST_SEED=" << seed);
      CHECK(whole_fault(read_all({.paths = {path}, .block_bytes = block_bytes, .threads = threads}), text,
                        naive_records(text)) == "");
    }
  }
}

TEST_CASE("Helpers find the records in pieces of BGZF and of plain text", "[reader][pieces]") {
  const Scratch scratch;
  std::string text;
  while (text.size() < 4'000'000) text += "@r" + std::to_string(text.size()) + "\nACGTACGTAC\n+\n@@@@+@@@@@\n";
  for (const bool plain : {false, true}) {
    const std::string path = scratch.write("in", plain ? text : bgzf(text, 65280));
    const auto file = open_input(path, 3);
    REQUIRE(file->give_pieces(1U << 19));
    std::string found;
    file->find_records([](std::string_view piece) {
      FoundRecords records;
      records.records.resize(1);
      records.end = piece.size();
      return records;
    });
    std::size_t pieces = 0, by_helpers = 0;
    for (TextPiece piece = file->next_piece(); !piece.text().empty(); piece = file->next_piece()) {
      found += piece.text();
      CHECK(piece.begin >= TextPiece::kRoom);
      ++pieces;
      by_helpers += piece.found.end == piece.text().size();
      std::this_thread::sleep_for(std::chrono::milliseconds(20));  // or this thread inflates all
    }
    CHECK((found == text));
    CHECK(pieces >= 8);
    CHECK(by_helpers > 0);
    CHECK_FALSE(open_input(path, 3)->give_pieces(1000));
  }
}

TEST_CASE("A broken FASTQ record in a piece of text has its line in the message", "[reader][pieces]") {
  const Scratch scratch;
  std::mt19937 random(support::test_seed());
  std::string text;
  for (int i = 0; i < 60'000; ++i) text += "@r" + std::to_string(i) + "\nACGTACGTAC\n+\nIIIIIIIIII\n";
  for (int round = 0; round < 5; ++round) {
    const std::size_t record = 100 + random() % 59'000;
    std::string bad = text;
    const std::size_t at = bad.find("@r" + std::to_string(record) + "\n");
    bad.erase(bad.find("\n+\n", at) - 1, 1);
    const std::string path = scratch.write("in", round % 2 == 0 ? bad : bgzf(bad, 65280));
    for (const int threads : {1, 3}) {
      const auto [read, error] = read_until_fault({.paths = {path}, .threads = threads});
      CHECK((read == bad.substr(0, at)));
      check_error(error, {"record 'r" + std::to_string(record) + "' (line " + std::to_string(4 * record + 1) + ")",
                          "quality has 10 characters, sequence has 9"});
    }
  }
}

TEST_CASE("A BGZF file that is cut while helpers read it gives the text of all whole blocks before the cut",
          "[reader][pieces]") {
  const Scratch scratch;
  std::mt19937 random(support::test_seed());
  const std::string text = random_dna(3'000'000, random);
  constexpr std::size_t kBlock = 60'000;
  const std::string stored = bgzf(text, kBlock);
  std::vector<std::size_t> ends;  // of the blocks
  for (std::size_t at = 0; at < stored.size();) {
    const auto byte = [&](std::size_t i) { return std::size_t{static_cast<unsigned char>(stored[at + i])}; };
    at += (byte(16) | byte(17) << 8) + 1;
    ends.push_back(at);
  }
  for (const std::size_t block : {ends.size() - 20, ends.size() - 4}) {
    for (const int beyond : {-9, -4, -3, -1, 0, 1, 12, 17, 18, 19, 400}) {
      INFO("block " << block << ", cut " << beyond << " bytes behind its end");
      const std::string path = scratch.write("in", stored);
      const auto file = open_input(path, 3);
      REQUIRE(file->give_pieces(kSmallestPiece));
      std::string found(file->next_piece().text());
      fs::resize_file(path, ends[block] + static_cast<std::size_t>(beyond));
      std::string error;
      try {
        for (TextPiece piece = file->next_piece(); !piece.text().empty(); piece = file->next_piece())
          found += piece.text();
      } catch (const IoError& fault) {
        error = fault.what();
      }
      CHECK(error == path + ": the file became shorter while it was read");
      CHECK((found == text.substr(0, kBlock * (beyond < 0 ? block : block + 1))));
    }
  }
}

TEST_CASE("Damaged BGZF gives the same text and error in pieces as in small blocks", "[reader][pieces]") {
  const Scratch scratch;
  const std::uint64_t seed = support::test_seed();
  std::mt19937 random(seed);
  for (const bool fastq : {false, true}) {
    const std::string text = fastq ? long_fastq(1'500'000, false, random) : long_fasta(1'500'000, random);
    std::vector<std::size_t> begins;
    const std::string good = random_bgzf(text, random, &begins);
    for (std::size_t round = 0; round < support::test_cases(100); ++round) {
      std::string bad = good;
      const std::size_t at = random() % bad.size(), block = begins[random() % begins.size()];
      switch (round % 4) {
        case 0: bad.resize(at); break;
        case 1: bad[at] = static_cast<char>(bad[at] ^ (1 << random() % 8)); break;
        case 2: bad.resize(bad.size() - bgzf_block("").size()); break;
        default: bad.insert(block, random() % 2 == 0 ? gzip(">more\nACGT\n") : "garbage");
      }
      const std::string path = scratch.write("in", bad);
      const auto expected = read_until_fault({.paths = {path}, .block_bytes = 50'000, .threads = 1});
      for (const int threads : {1, 2, 4}) {
        INFO("round " << round << ", " << threads << " threads, BASESWEEP_TEST_SEED=" << seed);
        const auto found = read_until_fault({.paths = {path}, .threads = threads});
        CHECK(found.second == expected.second);
        CHECK((found.first == expected.first));
      }
    }
  }
}

TEST_CASE("A file that becomes shorter while helpers read it gives the text before, and an error", "[reader][pieces]") {
  const Scratch scratch;
  std::mt19937 random(support::test_seed());
  const std::string text = random_dna(6'000'000, random);
  for (const bool plain : {true, false}) {
    const std::string stored = plain ? text : bgzf(text, 65280);
    const std::string path = scratch.write("in", stored);
    const auto file = open_input(path, 3);
    REQUIRE(file->give_pieces(kSmallestPiece));
    std::string found(file->next_piece().text());
    fs::resize_file(path, stored.size() / 2);
    std::string error;
    try {
      for (TextPiece piece = file->next_piece(); !piece.text().empty(); piece = file->next_piece())
        found += piece.text();
    } catch (const IoError& fault) {
      error = fault.what();
    }
    CHECK(error == path + ": the file became shorter while it was read");
    CHECK((found == text.substr(0, found.size())));
    CHECK(found.size() > text.size() / 2 - 200'000);
  }
}

}  // namespace basesweep::test_reader_pieces
