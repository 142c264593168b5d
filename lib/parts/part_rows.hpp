// Rows on their way to the file of a part.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

#include "lib/parts/part_writer.hpp"
#include "lib/writer/formatter.hpp"

namespace basesweep {

// Replaces the encoded rows of a text by a block, compressed.
void pack_rows(RowText& text);
// The block of such a text.
CompressedBlock packed_rows(std::string_view text);

// Encodes rows, as they go into a part. A text of it is a block.
template <class OneRow>
class PartRows final : public Formatter {
 public:
  // `needs`: what is kept of a row besides its own fields, see need.
  explicit PartRows(unsigned needs, std::uint32_t flank = 0) : needs_(needs), flank_(flank) {}

  std::string header(std::span<const RecordInfo>) const override { return ""; }
  NameRule names() const override { return NameRule::any; }
  unsigned needs() const override { return needs_; }
  std::uint32_t flank() const override { return flank_; }
  bool makes_blocks() const override { return true; }
  void append(const Row& row, RowText& text) const override {
    encode_row(static_cast<const OneRow&>(row), text.before, text);
    ++text.rows;
  }
  void finish(RowText& text) const override { pack_rows(text); }

 private:
  const unsigned needs_;
  const std::uint32_t flank_;
};

// Takes blocks of PartRows, one in each call.
class PartSink final : public ByteSink {
 public:
  // `to` must outlive this.
  explicit PartSink(PartWriter& to) : to_(to) {}
  void write(std::string_view block) override;

 private:
  PartWriter& to_;
};

}  // namespace basesweep
