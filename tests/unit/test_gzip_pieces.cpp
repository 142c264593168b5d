// gzip that several threads inflate to pieces of text, which become blocks as they are: the same text, records and
// faults as from one thread, wherever pieces end.
#include <algorithm>
#include <chrono>
#include <memory>
#include <random>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "lib/reader/cutter.hpp"
#include "lib/reader/pending_text.hpp"
#include "tests/support/environment.hpp"
#include "tests/support/gzip.hpp"

namespace basesweep::test_gzip_pieces {

using namespace reader_test;

namespace {

constexpr std::size_t kSmallestPiece = 1U << 17;

// Small spans, so that a short file has many.
std::shared_ptr<InputFile> open_spans(const std::string& path, std::mt19937& random) {
  const GzipThreads sizes{static_cast<int>(2 + random() % 3), std::size_t{1} << (12 + random() % 5),
                          std::size_t{1} << (11 + random() % 5)};
  const auto bytes = static_cast<std::int64_t>(fs::file_size(path));
  return make_parallel_gzip_file(path, stream_of(path), random() % 2 == 0 ? bytes : -1, sizes);
}

std::vector<RawBlock> blocks_of(Cutter& cutter) {
  std::vector<RawBlock> blocks;
  while (auto block = cutter.next()) {
    block->number = blocks.size();
    blocks.push_back(std::move(*block));
  }
  return blocks;
}

// The first fault of the blocks of a file with this text, or "".
std::string cut_fault(const std::shared_ptr<InputFile>& file, const std::string& text, std::size_t block_bytes,
                      bool records) {
  const CutterOptions options{block_bytes, 1U << 16, 1U << 30};
  PendingText pending(file, block_bytes);
  if (text.front() == '@')
    return whole_fault(blocks_of(*make_fastq_cutter(std::move(pending), 1, options)), text, naive_records(text));
  if (records)
    return whole_fault(blocks_of(*make_fasta_record_cutter(std::move(pending), options)), text, naive_records(text));
  return fasta_fault(blocks_of(*make_fasta_stream_cutter(std::move(pending), false, options)), text);
}

// Hands out a text in the pieces that it is given.
class GivenPieces final : public InputFile {
 public:
  GivenPieces(std::string text, std::vector<std::size_t> ends)
      : InputFile("given"), text_(std::move(text)), ends_(std::move(ends)) {
    ends_.push_back(text_.size());
  }
  std::size_t read(char*, std::size_t) override { throw std::logic_error("read() instead of next_piece()"); }
  bool give_pieces(std::size_t) override { return true; }
  TextPiece next_piece() override {
    TextPiece piece;
    if (next_ == ends_.size()) return piece;
    const std::size_t size = ends_[next_++] - at_;
    piece.memory = TextMemory(TextPiece::kRoom + size);
    piece.begin = TextPiece::kRoom;
    piece.end = piece.begin + size;
    std::copy_n(text_.data() + at_, size, piece.memory.data.get() + piece.begin);
    if (finder_) piece.found = finder_(piece.text());
    at_ += size;
    return piece;
  }
  void find_records(RecordFinder finder) override { finder_ = std::move(finder); }
  Compression compression() const override { return Compression::gzip; }

 private:
  std::string text_;
  std::vector<std::size_t> ends_;  // of pieces
  std::size_t next_ = 0;
  std::size_t at_ = 0;
  RecordFinder finder_;
};

Inflated in_pieces(const std::shared_ptr<InputFile>& file) {
  Inflated found;
  REQUIRE(file->give_pieces(kSmallestPiece));
  try {
    for (TextPiece piece = file->next_piece(); !piece.text().empty(); piece = file->next_piece())
      found.text += piece.text();
  } catch (const Error& error) {
    found.error = error.what();
  }
  return found;
}

}  // namespace

TEST_CASE("A piece of text may end at any byte", "[reader][pieces]") {
  const std::string fasta = ">one two\r\nACGT\r\nNN\r\n>\n>three\n\n>>four >\nA\n\nC\n";
  const std::string fastq =
      "@one two\r\nACGT\r\n+\r\n@+>@\r\n\r\n@\nACGTA\n+one\n@III@\n@three\nAC\nGT\n+\n@@\n@@\n@4\n\n+\n\n";
  for (const std::string& text : {fasta, fastq}) {
    for (std::size_t first = 1; first < text.size(); ++first) {
      for (std::size_t second = first + 1; second < text.size(); ++second) {
        for (const std::size_t block_bytes : {8, 30, 1000}) {
          for (const bool records : {false, true}) {
            INFO("pieces end at " << first << " and " << second << ", blocks of " << block_bytes << ", " << records);
            const auto file = std::make_shared<GivenPieces>(text, std::vector{first, second});
            REQUIRE(cut_fault(file, text, block_bytes, records) == "");
          }
        }
      }
    }
  }
}

TEST_CASE("FASTA and FASTQ in pieces of gzip", "[reader][pieces]") {
  const Scratch scratch;
  const std::uint64_t seed = support::test_seed();
  std::mt19937 random(seed);
  for (std::size_t round = 0; round < support::test_cases(100); ++round) {
    INFO("round " << round << ", BASESWEEP_TEST_SEED=" << seed);
    const std::size_t size = 1 + random() % 1'500'000;
    const std::string text = round % 2 == 0 ? long_fasta(size, random) : long_fastq(size, round % 3 == 0, random);
    const std::string path = scratch.write("in", random_gzip(text, random));
    const std::size_t block_bytes = kSmallestPiece + random() % (random() % 4 == 0 ? 3'000'000 : 400'000);
    CHECK(cut_fault(open_spans(path, random), text, block_bytes, random() % 2 == 0) == "");
  }
}

TEST_CASE("Members of gzip end anywhere in a span, and some are empty", "[reader][pieces]") {
  const Scratch scratch;
  const std::uint64_t seed = support::test_seed();
  std::mt19937 random(seed);
  for (std::size_t round = 0; round < support::test_cases(40); ++round) {
    INFO("round " << round << ", BASESWEEP_TEST_SEED=" << seed);
    const std::string text = long_fasta(300'000, random);
    std::string bytes;
    for (std::size_t at = 0; at < text.size();) {
      for (std::size_t empty = random() % 3; empty > 0; --empty) bytes += gzip("");
      const std::size_t size = random() % (random() % 2 == 0 ? 200 : 100'000);
      bytes += deflated(text.substr(at, size), random_deflating(random));
      at += size;
    }
    if (random() % 2 == 0) bytes += gzip("");
    const std::string path = scratch.write("in", bytes);
    CHECK((in_pieces(open_spans(path, random)) == Inflated{text, ""}));
    CHECK(cut_fault(open_spans(path, random), text, kSmallestPiece, false) == "");
  }
}

TEST_CASE("Damaged gzip gives the same text and error in pieces as by one thread", "[reader][pieces]") {
  const Scratch scratch;
  const std::uint64_t seed = support::test_seed();
  std::mt19937 random(seed);
  for (std::size_t round = 0; round < support::test_cases(400); ++round) {
    INFO("round " << round << ", BASESWEEP_TEST_SEED=" << seed);
    const std::string good = random_gzip(long_fasta(random() % 400'000, random), random);
    std::string bad = good;
    switch (round % 4) {
      case 0: bad.resize(random() % good.size()); break;
      case 1: bad[bad.size() - 1 - random() % 8] ^= static_cast<char>(1 << random() % 8); break;  // checksum or length
      case 2: bad += "garbage"; break;
      default: bad[random() % bad.size()] ^= static_cast<char>(1 << random() % 8);
    }
    const std::string path = scratch.write("in", bad);
    const Inflated one = by_one(path, static_cast<std::int64_t>(bad.size()));
    check_like(in_pieces(open_spans(path, random)), one);
  }
}

TEST_CASE("Helpers find the records in pieces of gzip", "[reader][pieces]") {
  const Scratch scratch;
  std::mt19937 random(support::test_seed());
  std::string text;
  while (text.size() < 4'000'000)
    text += "@r" + std::to_string(text.size()) + "\n" + random_dna(50, random) + "\n+\n@" + std::string(49, '+') + "\n";
  const std::string bytes = deflated(text, {6, Z_DEFAULT_STRATEGY, 8, 15, Z_NO_FLUSH});
  const std::string path = scratch.write("in", bytes);
  const auto file =
      make_parallel_gzip_file(path, stream_of(path), static_cast<std::int64_t>(bytes.size()), {3, 1U << 16, 1U << 16});
  CHECK_FALSE(file->give_pieces(1000));
  REQUIRE(file->give_pieces(1U << 19));
  file->find_records([](std::string_view piece) {
    FoundRecords records;
    records.records.resize(1);
    records.end = piece.size();
    return records;
  });
  std::string found;
  std::size_t pieces = 0, by_helpers = 0;
  for (TextPiece piece = file->next_piece(); !piece.text().empty(); piece = file->next_piece()) {
    found += piece.text();
    CHECK(piece.begin >= TextPiece::kRoom);
    CHECK(piece.text().size() <= (1U << 19) + 300);
    ++pieces;
    by_helpers += piece.found.end == piece.text().size();
  }
  CHECK((found == text));
  CHECK(pieces >= 8);
  CHECK(by_helpers >= pieces / 2);
  CHECK_FALSE(file->give_pieces(1U << 19));  // it was begun
}

}  // namespace basesweep::test_gzip_pieces
