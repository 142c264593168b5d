// Blocks of bytes, compressed by zstd, for parts of a run and temporary files.
#pragma once

#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string_view>

#include "lib/base/text.hpp"
#include "lib/rows/row_block.hpp"

namespace basesweep {

struct CompressedBlock {
  std::uint64_t rows = 0;       // 0: not a block of rows
  std::uint64_t raw_bytes = 0;  // before it was compressed
  std::uint64_t checksum = 0;   // CRC-64 of `bytes`
  Text bytes;
};

// A block that does not fit its checksum or sizes.
struct BlockFault : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Makes and opens compressed blocks. It keeps its memory from one to the next. Not thread-safe. All functions throw
// std::bad_alloc.
class BlockCompressor {
 public:
  BlockCompressor();
  ~BlockCompressor();
  BlockCompressor(BlockCompressor&&) noexcept;
  BlockCompressor& operator=(BlockCompressor&&) noexcept;

  CompressedBlock compress(std::string_view raw, std::uint64_t rows = 0);
  // Throws BlockFault. Takes no more memory than a few times what the block really holds, whatever it says.
  Text decompress(const CompressedBlock& block);

 private:
  struct Contexts;
  std::unique_ptr<Contexts> contexts_;
};

// These use an object that the calling thread keeps.
CompressedBlock compress(std::string_view raw);
CompressedBlock compress(const RowBlock& block);
Text decompress(const CompressedBlock& block);

// No block of so many bytes takes more when it is compressed.
std::uint64_t max_stored_bytes(std::uint64_t raw_bytes);

}  // namespace basesweep
