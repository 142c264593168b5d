// Blocks of .2bit files: packed as the same text in FASTA, for every length, shift and instruction set.
#include <cctype>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "lib/packer/pack_kernel.hpp"
#include "lib/packer/packer.hpp"
#include "lib/reader/twobit_file.hpp"
#include "lib/writer/twobit_writer.hpp"
#include "tests/support/reader.hpp"

namespace basesweep::test_code_packer {

using namespace reader_test;

namespace {

struct Bytes final : ByteSink {
  std::string all;
  void write(std::string_view text) override { all += text; }
};

std::string random_bases(std::size_t count, std::mt19937& random) {
  std::string bases(count, '\0');
  for (char& base : bases) base = "ACGT"[random() % 4];
  return bases;
}

std::string codes_of(const std::string& letters) {
  std::string codes((letters.size() + 3) / 4, '\0');
  for (std::size_t i = 0; i < letters.size(); ++i)
    codes[i / 4] = static_cast<char>(codes[i / 4] | std::string("TCAG").find(letters[i]) << (6 - 2 * (i % 4)));
  return codes;
}

PackedBlock packed_fasta(const std::string& text, const PackerOptions& options) {
  RawBlock raw;
  raw.bytes.assign(text.begin(), text.end());
  raw.size = text.size();
  return pack(raw, options);
}

std::vector<PackedBlock> packed(const std::string& path, std::size_t block_bytes, const PackerOptions& options) {
  std::vector<PackedBlock> blocks;
  for (const RawBlock& block : read_all({.paths = {path}, .block_bytes = block_bytes}))
    blocks.push_back(pack(block, options));
  return blocks;
}

// All that blocks say about their bases, a line for each.
std::string described(const std::vector<PackedBlock>& blocks) {
  std::string text;
  for (const PackedBlock& block : blocks) {
    std::vector<std::string> lines(block.positions + 1);
    for (std::uint32_t i = 0; i < block.positions; ++i) {
      const auto bit = [&](const auto& plane) { return plane[i / 64] >> i % 64 & 1; };
      lines[i] = "ACTG"[bit(block.lo) + 2 * bit(block.hi)];
    }
    for (const Interval& one : block.not_acgt)
      for (std::uint32_t i = one.begin; i < one.end; ++i) lines[i] += " not ACGT";
    for (const LetterRun& run : block.letters)
      for (std::uint32_t i = run.begin; i < run.end; ++i) lines[i] += run.letter;
    for (const Interval& one : block.soft_masked)
      for (std::uint32_t i = one.begin; i < one.end; ++i) lines[i] += " masked";
    for (std::size_t i = 0; i < block.starts.size(); ++i) {
      std::string& line = lines[block.starts[i].position];
      line = std::string(block.name(i)) + "\n" + line;
    }
    for (std::uint32_t i = 0; i < block.positions; ++i) text += lines[i] + "\n";
    if (lines.back() != "") text += lines.back();
  }
  return text;
}

}  // namespace

TEST_CASE("Codes of any number of bases become planes behind any others", "[packer]") {
  std::mt19937 random(3);
  for (const Isa isa : available_isas()) {
    for (std::uint32_t bases = 0; bases < 300; ++bases) {
      const std::string before = random_bases(random() % 130, random), letters = random_bases(bases, random);
      const PackedBlock expected = packed_fasta(before + letters, {.isa = isa});
      std::vector<std::uint64_t> lo(10), hi(10);
      PackTarget target{lo.data(), hi.data(), 0, 0, 0, nullptr, nullptr};
      for (const std::string& part : {before, letters}) {
        const std::string codes = codes_of(part) + std::string(16, '\xff');
        codes_function(isa)(codes.data(), static_cast<std::uint32_t>(part.size()), target);
      }
      lo[target.positions / 64] = target.lo_partial;
      hi[target.positions / 64] = target.hi_partial;
      REQUIRE(target.positions == expected.positions);
      for (std::uint32_t word = 0; word * 64 < expected.positions; ++word) {
        REQUIRE(lo[word] == expected.lo[word]);
        REQUIRE(hi[word] == expected.hi[word]);
      }
    }
  }
}

TEST_CASE("A .2bit file is packed as its text is, wherever blocks are cut", "[packer]") {
  const Scratch scratch;
  std::mt19937 random(4);
  for (int round = 0; round < 60; ++round) {
    std::string text;
    for (std::size_t r = 0; r < 1 + random() % 5; ++r) {
      text += ">r" + std::to_string(r) + "\n";
      for (std::size_t parts = 1 + random() % 8; parts != 0; --parts) {
        std::string part = random_dna(1 + random() % (parts % 2 == 0 ? 5 : 200), random);
        if (random() % 3 == 0) part.assign(part.size(), 'N');
        if (random() % 3 == 0)
          for (char& c : part) c = static_cast<char>(std::tolower(c));
        text += part;
      }
      text += "\n";
    }
    const PackerOptions options{.soft_masked = true, .letters = true};
    const PackedBlock expected = packed_fasta(text, options);
    TwoBitWriter writer({"r.fa"}, "/tmp");
    RecordCursor cursor({"r.fa"}, 0, false);
    cursor.follow(expected, writer);
    cursor.finish(writer);
    Bytes file;
    writer.write(file, round % 2 == 0);
    const std::string path = scratch.write("r.2bit", file.all);
    for (const std::size_t block_bytes : {std::size_t{1}, std::size_t{30}, std::size_t{100}, std::size_t{1} << 19}) {
      INFO(text << "block_bytes " << block_bytes);
      const std::vector<PackedBlock> blocks = packed(path, block_bytes, options);
      CHECK(described(blocks) == described({expected}));
      CHECK(described(packed(path, block_bytes, {})) == described({packed_fasta(text, {})}));
    }
  }
}

}  // namespace basesweep::test_code_packer
