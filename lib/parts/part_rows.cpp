#include "lib/parts/part_rows.hpp"

#include <cstring>
#include <utility>

namespace basesweep {
namespace {

// Stands before the bytes of a block, on its way through the output of a pipeline.
struct Frame {
  std::uint64_t rows;
  std::uint64_t raw_bytes;
  std::uint64_t checksum;
};

}  // namespace

void pack_rows(RowText& text) {
  if (text.rows == 0) return;
  RowBlock block;
  block.rows = text.rows;
  static_cast<Text&>(block.bytes) = std::move(static_cast<Text&>(text));
  const CompressedBlock packed = compress(block);
  const Frame frame{packed.rows, packed.raw_bytes, packed.checksum};
  text = RowText();
  text.append({reinterpret_cast<const char*>(&frame), sizeof frame});
  text.append(packed.bytes.view());
}

CompressedBlock packed_rows(std::string_view text) {
  Frame frame;
  std::memcpy(&frame, text.data(), sizeof frame);
  CompressedBlock block{frame.rows, frame.raw_bytes, frame.checksum, {}};
  block.bytes.append(text.substr(sizeof frame));
  return block;
}

void PartSink::write(std::string_view bytes) {
  if (!bytes.empty()) to_.add_rows(packed_rows(bytes));
}

}  // namespace basesweep
