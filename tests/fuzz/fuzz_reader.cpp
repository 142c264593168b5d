// FASTA and FASTQ, plain and compressed: blocks of any size give the same records, or refuse what comes after the same
// records.
#include <algorithm>
#include <vector>

#include "lib/base/dna.hpp"
#include "lib/packer/packer.hpp"
#include "lib/reader/reader.hpp"
#include "tests/fuzz/fuzz.hpp"

namespace {

using namespace basesweep;

void append(const PackedBlock& block, std::string& text) {
  std::string letters(block.positions, '.');
  for (std::size_t i = 0; i < letters.size(); ++i) {
    const auto bit = [i](const std::vector<std::uint64_t>& plane) { return plane[i / 64] >> (i % 64) & 1; };
    letters[i] = base_letter(static_cast<unsigned>(bit(block.lo) + 2 * bit(block.hi)));
  }
  for (const LetterRun& run : block.letters)
    std::fill(letters.begin() + run.begin, letters.begin() + run.end, run.letter);
  std::size_t at = 0;
  for (std::size_t i = 0; i < block.starts.size(); ++i) {
    const std::uint32_t position = block.starts[i].position;
    text.append(letters, at, position - at).append("\n>").append(block.name(i)).append("\n");
    at = position;
  }
  text.append(letters, at);
}

// Titles and letters of the records, as they are packed, and whether the rest was refused.
fuzz::Reading read(const std::string& path, std::size_t block_bytes, bool whole_records) {
  ReaderOptions options;
  options.paths = {path};
  options.block_bytes = block_bytes;
  options.whole_records = whole_records;
  PackerOptions packer;
  packer.letters = true;
  std::string records;
  const bool refused = fuzz::refuses([&] {
    Reader reader(options);
    while (const auto raw = reader.next()) {
      const PackedBlock block = pack(*raw, packer);
      append(block, records);
      if (block.error) throw DataError(block.error->what);
    }
  });
  return {records, refused};
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const fuzz::Choice choice(data, size);
  fuzz::check_block_sizes(choice, read, "blocks of any size give the same records");
  return 0;
}
