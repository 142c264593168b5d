// The packer with every instruction set, compared with one that works letter by letter.
#include <algorithm>
#include <cctype>
#include <utility>

#include "lib/base/sequence_text.hpp"
#include "lib/oracle/trial/generate.hpp"
#include "lib/packer/packer.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/files.hpp"

namespace basesweep::test_packer {

namespace {

RawBlock fasta(const std::string& text, std::int64_t file_offset = 0, bool inside_line = false) {
  RawBlock block;
  block.file_offset = file_offset;
  block.inside_line = inside_line;
  block.bytes.assign(text.begin(), text.end());
  block.size = text.size();
  return block;
}

PackedBlock pack_on(Isa isa, const RawBlock& block, bool soft_masked = false) {
  return pack(block, {.isa = isa, .soft_masked = soft_masked});
}

using Marks = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

Marks marks(const std::vector<Interval>& intervals) {
  Marks marks;
  for (const Interval& interval : intervals) marks.emplace_back(interval.begin, interval.end);
  return marks;
}

// Returns the runs of positions for which `is` holds.
template <class Is>
Marks runs(const std::string& letters, Is is) {
  Marks runs;
  for (std::uint32_t i = 0; i < letters.size(); ++i) {
    if (!is(letters[i])) continue;
    if (!runs.empty() && runs.back().second == i) {
      ++runs.back().second;
    } else {
      runs.emplace_back(i, i + 1);
    }
  }
  return runs;
}

bool is_acgtu(char c) { return std::string("ACGTUacgtu").find(c) != std::string::npos; }
bool is_lower(char c) { return std::islower(static_cast<unsigned char>(c)) != 0; }

// Returns the block as letters: A, C, G, T, and ? in the intervals of not_acgt.
std::string letters_of(const PackedBlock& block) {
  std::string letters;
  for (std::uint32_t i = 0; i < block.positions; ++i) {
    letters += "ACTG"[(block.lo[i / 64] >> (i % 64) & 1) | (block.hi[i / 64] >> (i % 64) & 1) << 1];
  }
  for (const Interval& interval : block.not_acgt) {
    for (std::uint32_t i = interval.begin; i < interval.end; ++i) letters[i] = '?';
  }
  return letters;
}

std::string plain(std::string letters) {
  for (char& c : letters) {
    c = is_acgtu(c) ? static_cast<char>(std::toupper(static_cast<unsigned char>(c))) : '?';
    if (c == 'U') c = 'T';
  }
  return letters;
}

bool same(const PackedBlock& block, const std::string& letters, bool soft_masked) {
  const auto nucleotides =
      std::count_if(letters.begin(), letters.end(), [](char c) { return is_acgtu(c) || (c & ~0x20) == 'N'; });
  return !block.error && letters_of(block) == plain(letters) && block.nucleotides == nucleotides &&
         marks(block.not_acgt) == runs(letters, [](char c) { return !is_acgtu(c); }) &&
         marks(block.soft_masked) == (soft_masked ? runs(letters, is_lower) : Marks{});
}

}  // namespace

TEST_CASE("every length and every line width") {
  trial::Random random(11);
  const std::string kinds[] = {"ACGT", "ACGTacgtuU", "ACGTN", "acgtNNNNNNNNRYKMxX-*."};
  for (std::size_t length = 0; length <= 200; ++length) {
    for (std::size_t width = 1; width <= 130; ++width) {
      const std::string letters = trial::random_letters(random, length, kinds[(length + width) % 4]);
      const std::string text = support::in_lines(letters, width, (length + width) % 3 == 0 ? "\r\n" : "\n");
      const bool soft_masked = width % 2 == 0;
      for (const Isa isa : available_isas()) {
        if (same(pack_on(isa, fasta(text), soft_masked), letters, soft_masked)) continue;
        FAIL(to_string(isa) << ", length " << length << ", width " << width << ", \"" << letters << '"');
      }
    }
  }
}

TEST_CASE("runs of masked and unknown letters across words and vectors") {
  trial::Random random(12);
  for (int round = 0; round < 3000; ++round) {
    std::string letters;
    while (letters.size() < 700) letters += std::string(random.between(1, 200), random.pick(std::string("AcgTNn-")));
    const std::string text = support::in_lines(letters, random.between(1, 300), "\n");
    for (const Isa isa : available_isas()) {
      if (!same(pack_on(isa, fasta(text), true), letters, true)) FAIL(to_string(isa) << ", \"" << text << '"');
    }
  }
}

TEST_CASE("titles: first words, at any place of a 64-byte step") {
  for (const Isa isa : available_isas()) {
    for (std::size_t shift = 0; shift < 140; ++shift) {
      const std::string front(shift, 'G');
      const PackedBlock block =
          pack_on(isa, fasta(front + "\n>one first title ACGT\nACG\nT\n>two\ttitle\r\n\r\n>\n>  blank\nN>\n"));
      // The last line contains '>': the block ends there with an error, and everything before it is packed.
      REQUIRE(block.starts.size() == 4);
      CHECK(block.name(0) == "one");
      CHECK(block.starts[0].position == shift);
      CHECK(block.name(1) == "two");
      CHECK(block.starts[1].position == shift + 4);
      CHECK(block.name(2).empty());
      CHECK(block.name(3) == "blank");
      CHECK(block.starts[3].position == shift + 4);
      CHECK(letters_of(block) == front + "ACGT?");
      REQUIRE(block.error);
      CHECK(block.positions == shift + 5);
    }
    const PackedBlock at_end = pack_on(isa, fasta("ACGT\n>last"));
    REQUIRE(at_end.starts.size() == 1);
    CHECK(at_end.name(0) == "last");
    CHECK(at_end.positions == 4);
    CHECK_FALSE(at_end.error);
  }
}

TEST_CASE("bytes that are not sequence, with their positions") {
  const std::string good = "ACGTUNRYSWKMBDHVEFIJLOPQXZ-*.";
  for (const Isa isa : available_isas()) {
    for (int i = 0; i < 256; ++i) {
      const char byte = static_cast<char>(i);
      const bool allowed = is_sequence_byte(byte) || is_line_end(byte);
      for (const std::size_t at : {1, 5, 62, 63, 64, 65, 127, 128, 200}) {
        std::string text(260, 'A');
        text[at] = byte;
        const PackedBlock block = pack_on(isa, fasta(text, 1'000'000'000'000));
        INFO(to_string(isa) << ", byte " << i << " at " << at);
        REQUIRE(block.error.has_value() == !allowed);
        if (allowed) continue;
        REQUIRE(block.positions == at);
        REQUIRE(block.error->file_offset == 1'000'000'000'000 + static_cast<std::int64_t>(at));
        REQUIRE(letters_of(block) == std::string(at, 'A'));
      }
    }
    CHECK(pack_on(isa, fasta("AC\nG T\n")).error->what ==
          "a blank is not sequence (expected letters, '-', '*' or '.')");
    CHECK(pack_on(isa, fasta("AC\nG1T\n")).error->what == "'1' is not sequence (expected letters, '-', '*' or '.')");
    CHECK(pack_on(isa, fasta("NNNN1NN\n")).positions == 4);
    CHECK_FALSE(pack_on(isa, fasta(good)).error);
  }
}

TEST_CASE("'>' counts as a header at the start of a line only") {
  for (const Isa isa : available_isas()) {
    CHECK_FALSE(pack_on(isa, fasta(">a\nACGT\n", 0, false)).error);
    CHECK(pack_on(isa, fasta(">a\nACGT\n", 0, true)).error->file_offset == 0);
    CHECK(pack_on(isa, fasta("AC>a\nACGT\n")).error->file_offset == 2);
    CHECK_FALSE(pack_on(isa, fasta("\n>a\nACGT\n", 0, true)).error);
  }
}

TEST_CASE("a title that is too long") {
  const RawBlock block = fasta("ACG\n>" + std::string(20, 'x') + "\nACGT\n", 100);
  const PackedBlock fits = pack(block, {.max_title_bytes = 21});
  CHECK_FALSE(fits.error);
  const PackedBlock longer = pack(block, {.max_title_bytes = 20});
  REQUIRE(longer.error);
  CHECK(longer.error->file_offset == 104);
  CHECK(longer.positions == 3);
  CHECK(longer.error->what == "header line longer than 20 bytes");
}

TEST_CASE("FASTQ records") {
  trial::Random random(13);
  for (int round = 0; round < 2000; ++round) {
    RawBlock block;
    block.format = Format::fastq;
    std::string text;
    std::string letters;
    std::vector<std::uint32_t> positions;
    for (std::size_t r = random.between(1, 5); r-- > 0;) {
      RecordText record{};
      record.title_begin = static_cast<std::uint32_t>(text.size());
      text += '@';
      record.name_begin = static_cast<std::uint32_t>(text.size());
      text += "read" + std::to_string(r);
      record.name_end = static_cast<std::uint32_t>(text.size());
      text += " title\n";
      record.sequence_begin = static_cast<std::uint32_t>(text.size());
      const std::string sequence = trial::random_letters(random, random.below(150), "ACGTNacgt");
      text += support::in_lines(sequence, random.between(1, 100), random.chance(30) ? "\r\n" : "\n");
      record.sequence_end = static_cast<std::uint32_t>(text.size());
      text += "+\n" + std::string(sequence.size(), '@') + "\n";
      block.records.push_back(record);
      positions.push_back(static_cast<std::uint32_t>(letters.size()));
      letters += sequence;
    }
    block.bytes.assign(text.begin(), text.end());
    block.size = text.size();
    for (const Isa isa : available_isas()) {
      const PackedBlock packed = pack_on(isa, block, true);
      INFO(text);
      const bool fits = same(packed, letters, true);
      REQUIRE(fits);
      REQUIRE(packed.starts.size() == positions.size());
      for (std::size_t r = 0; r < positions.size(); ++r) {
        REQUIRE(packed.starts[r].position == positions[r]);
        REQUIRE(packed.name(r) == "read" + std::to_string(positions.size() - 1 - r));
      }
    }
  }
}

TEST_CASE("FASTQ: a bad byte stops there") {
  RawBlock block = fasta("@a\nACGT\n+\nIIII\n@b\nAC!T\n+\nIIII\n", 50);
  block.format = Format::fastq;
  block.records = {{0, 1, 2, 3, 7, 10, 14}, {15, 16, 17, 18, 22, 25, 29}};
  const PackedBlock packed = pack(block, {});
  REQUIRE(packed.error);
  CHECK(packed.error->file_offset == 70);
  CHECK(packed.positions == 6);
  CHECK(packed.starts.size() == 2);
}

}  // namespace basesweep::test_packer
