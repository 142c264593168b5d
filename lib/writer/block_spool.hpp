// A temporary file of compressed blocks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "lib/base/per_thread.hpp"
#include "lib/rows/compressed_block.hpp"
#include "lib/rows/row_block.hpp"
#include "lib/writer/nameless_file.hpp"

namespace basesweep {

// Blocks that can only be used when all input was read. They are added, then read in the same order, as often as one
// likes. All functions throw IoError. Not thread-safe, but for decode().
class BlockSpool {
 public:
  // `directory`: of the file.
  explicit BlockSpool(std::string directory) : directory_(std::move(directory)), file_(directory_) {}

  // Makes the file, which otherwise the first block does.
  void make_file() { file_.append(""); }
  void add(const CompressedBlock& block);
  // Sets `block` to the next one; false after the last.
  bool next(CompressedBlock& block);
  // Goes to the first block.
  void rewind();

  // The rows of a block. `compressor`: used by the calling thread only.
  template <class OneRow>
  DecodedRows<OneRow> decode(const CompressedBlock& block,
                             BlockCompressor& compressor = per_thread<BlockCompressor>()) const {
    try {
      return DecodedRows<OneRow>(RowBlock{block.rows, compressor.decompress(block)});
    } catch (const BlockFault&) {
    } catch (const RowFault&) {
    }
    refuse();
  }

 private:
  // Where a block is in the file.
  struct StoredBlock {
    std::uint64_t rows;
    std::uint64_t raw_bytes;
    std::uint64_t checksum;
    std::uint64_t stored_bytes;
  };
  [[noreturn]] void refuse() const;

  const std::string directory_;
  NamelessFile file_;
  std::vector<StoredBlock> blocks_;
  std::size_t next_ = 0;     // of blocks_
  std::int64_t offset_ = 0;  // of it
};

}  // namespace basesweep
