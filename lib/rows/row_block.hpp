// Blocks of encoded rows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <memory_resource>
#include <utility>
#include <vector>

#include "lib/base/text.hpp"
#include "lib/rows/row_codec.hpp"

namespace basesweep {

// Blocks are closed when they have one of both. Their rows and what is made of them fit the cache of a core.
inline constexpr std::size_t kBlockRows = 8192;
inline constexpr std::size_t kBlockBytes = std::size_t{256} << 10;
constexpr bool is_full_block(std::uint64_t rows, std::size_t bytes) {
  return rows >= kBlockRows || bytes >= kBlockBytes;
}
// A block with more is refused when it is read.
inline constexpr std::uint64_t kMaxBlockRows = 1U << 16;
inline constexpr std::uint64_t kMaxBlockBytes = std::uint64_t{64} << 20;

struct RowBlock {
  std::uint64_t rows = 0;
  Text bytes;  // the rows, encoded
};

// Makes blocks of rows.
class RowBlockBuilder {
 public:
  template <class Row>
  void add(const Row& row) {
    encoder_.add(row);
    ++block_.rows;
  }
  bool empty() const { return block_.rows == 0; }
  // Whether it is time to take the block.
  bool full() const { return is_full_block(block_.rows, block_.bytes.view().size()); }
  // The rows that were added; those that come are of a new block.
  RowBlock take() {
    encoder_ = RowEncoder(block_.bytes);
    return std::exchange(block_, {});
  }

  RowBlockBuilder() = default;
  RowBlockBuilder(const RowBlockBuilder&) = delete;
  RowBlockBuilder& operator=(const RowBlockBuilder&) = delete;

 private:
  RowBlock block_;
  RowEncoder encoder_{block_.bytes};
};

// The rows of a block, and the memory that they point into.
template <class Row>
class DecodedRows {
 public:
  DecodedRows() = default;
  // Throws RowFault.
  explicit DecodedRows(RowBlock block)
      : bytes_(std::move(block.bytes)), lists_(std::make_unique<std::pmr::monotonic_buffer_resource>()) {
    const std::string_view bytes = bytes_.view();
    if (block.rows > kMaxBlockRows || block.rows > bytes.size()) throw_row_fault();  // a row has a byte at least
    rows_.reserve(block.rows);
    RowDecoder<Row> decoder(bytes, lists_.get());
    while (rows_.size() != block.rows) decoder.decode(rows_.emplace_back(decoder.empty()));
    if (!decoder.at_end()) throw_row_fault();
  }

  std::vector<Row>& rows() { return rows_; }
  const std::vector<Row>& rows() const { return rows_; }

 private:
  Text bytes_;
  std::unique_ptr<std::pmr::monotonic_buffer_resource> lists_;
  std::vector<Row> rows_;
};

}  // namespace basesweep
