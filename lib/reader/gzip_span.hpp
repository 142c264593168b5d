// A stretch of a gzip file that is inflated by itself. Private to the reader.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "lib/reader/block_inflater.hpp"
#include "lib/reader/span_text.hpp"

namespace basesweep {

// A span owns the blocks that begin in the first `own_bytes` of its data; the rest of the data is there for the last of
// these blocks to end in. Its text is first made by any thread, with marks, and then resolved when the text before it
// is known, by any thread.
class GzipSpan {
 public:
  // `room`: for its text; outlives the span.
  explicit GzipSpan(PieceRoom& room) : room_(room) {}

  // Where text that belongs to one member ends: at the end of the member, or of the span's text.
  struct MemberPart {
    std::size_t begin, end;    // of the part in the span's text
    bool member_ends;          // so the two below are known
    std::uint32_t said_crc;    // of the whole member's text
    std::uint32_t said_bytes;  // of it, modulo 2^32
    std::uint32_t crc = 0;     // of the part's text, when it is resolved
  };

  // Takes compressed data: `bytes` of them are in `data`, which has room for DeflateBits::kPadding more. `offset`: of
  // the first in the file. `last`: the file ends with them.
  void fill(std::vector<std::uint8_t>& data, std::size_t bytes, std::size_t own_bytes, std::int64_t offset, bool last);

  // The first span of a file: `position`, in bits of the file, where its first block begins.
  void begin_file(std::uint64_t position) { first_ = position; }

  // Inflates from the first place where a block seems to begin. start() is nothing if there is none.
  void inflate_somewhere() noexcept;
  // Inflates from a place where a block begins, in bits of the file. `window`: the member's text before it.
  void inflate_from(std::uint64_t start, std::span<const std::uint8_t> window) noexcept;
  // Goes on after a text that was full. `window`: the text before it.
  void inflate_more(std::span<const std::uint8_t> window) noexcept;

  // In bits of the file: where the text begins, and where it ends.
  std::optional<std::uint64_t> start() const { return start_; }
  std::uint64_t end() const { return bit_offset() + end_; }
  // The bit of the file from which on blocks belong to another span.
  std::uint64_t own_end() const { return bit_offset() + own_bytes_ * 8; }
  // Why the text ends there. At the end of a member, what follows is not the plain header of another one, or the file
  // ends.
  Stopped stopped() const { return stopped_; }
  // The text before end() that what follows may refer to. `window`: what was before start().
  std::vector<std::uint8_t> window_after(std::span<const std::uint8_t> window) const {
    return text_.window_after(window);
  }

  // Makes pieces() and the checksums of parts(). False if the data refer to text that is not there, or if there is no
  // memory. `window`: the text before start().
  bool resolve(std::span<const std::uint8_t> window) noexcept;
  std::vector<TextPiece>& pieces() { return text_.pieces(); }
  std::size_t text_bytes() const { return text_.size(); }
  const std::vector<MemberPart>& parts() const { return parts_; }

  std::int64_t offset() const { return offset_; }
  std::span<const std::uint8_t> data() const { return {data_.data(), bytes_}; }
  std::size_t own_bytes() const { return own_bytes_; }

 private:
  std::uint64_t bit_offset() const { return static_cast<std::uint64_t>(offset_) * 8; }
  void begin(std::uint64_t position);
  void inflate();
  bool end_member();
  void sum_up();

  std::vector<std::uint8_t> data_;
  std::size_t bytes_ = 0;
  std::size_t own_bytes_ = 0;
  std::int64_t offset_ = 0;
  bool last_ = false;

  PieceRoom& room_;
  SpanText text_;
  BlockInflater inflater_;
  std::optional<std::uint64_t> first_;
  std::optional<std::uint64_t> start_;
  std::uint64_t end_ = 0;  // in bits of data_
  Stopped stopped_ = Stopped::fault;
  std::vector<MemberPart> parts_;
};

// The CRC-32 of two texts one after the other. `bytes`: of the second.
std::uint32_t joined_crc(std::uint32_t first, std::uint32_t second, std::uint64_t bytes);

}  // namespace basesweep
