// The text of a gzip span. Private to the reader.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "lib/reader/block_inflater.hpp"
#include "lib/reader/text_memory.hpp"
#include "lib/reader/text_piece.hpp"

namespace basesweep {

// Where spans get the memory for their text. Several threads may use it.
class PieceRoom {
 public:
  // `bytes`: of text in a piece.
  explicit PieceRoom(std::size_t bytes);

  std::size_t bytes() const { return bytes_; }
  // A piece whose text begins and ends behind its room. Throws std::bad_alloc.
  TextPiece take();

 private:
  std::size_t bytes_;
  std::size_t begin_;
  TextMemoryPool memory_;
};

// While the last kDeflateWindow symbols hold marks, text is made as symbols; from then on as bytes, which takes half
// the time, straight into pieces. resolve() makes pieces of the symbols too, when the text before them is known.
class SpanText {
 public:
  static constexpr std::size_t kMaxBytes = std::size_t{7} << 20;  // more text must be taken out in between

  // Empties the text. It begins behind a window that is not known.
  void begin();
  // The same behind a window that is known, and may be shorter than kDeflateWindow. Throws std::bad_alloc, as the next
  // ones do.
  void begin(PieceRoom& room, std::span<const std::uint8_t> window);
  // The text of another member begins.
  void begin_member(PieceRoom& room);
  // Lets the inflater append text until it stops. Stopped::text_full: there are kMaxBytes.
  Stopped inflate(PieceRoom& room, BlockInflater& inflater, std::span<const std::uint8_t> input, std::uint64_t wanted);

  std::size_t size() const { return size_; }
  // The text that what follows may refer to. `window`: the text before begin().
  std::vector<std::uint8_t> window_after(std::span<const std::uint8_t> window) const;

  // Makes pieces() of the text. False if a mark refers to something before the window: the text before begin(). Throws
  // std::bad_alloc.
  bool resolve(PieceRoom& room, std::span<const std::uint8_t> window);
  std::vector<TextPiece>& pieces() { return pieces_; }

 private:
  void begin_bytes(PieceRoom& room, std::span<const std::uint8_t> window);
  void begin_piece(PieceRoom& room, std::span<const std::uint8_t> window, std::size_t before);
  std::span<const std::uint8_t> byte_window() const;
  std::span<const Symbol> symbols() const {
    return head_ == 0 ? std::span<const Symbol>() : std::span<const Symbol>(symbols_.get() + kDeflateWindow, head_);
  }

  // The head of the text, as symbols behind their window. The memory is made when it is needed and used again.
  std::unique_ptr<Symbol[]> symbols_;
  std::size_t head_ = 0;
  std::size_t size_ = 0;
  // The rest, as bytes. The first of these pieces has room for the end of the head.
  bool in_bytes_ = false;
  std::vector<TextPiece> pieces_;
  InflateRoom<std::uint8_t> bytes_{};
};

}  // namespace basesweep
