// Inflates deflate data from any block on, before the text in front of that block is known. Private to the reader.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>

#include "lib/reader/deflate_bits.hpp"
#include "lib/reader/deflate_codes.hpp"

namespace basesweep {

// How far back deflate data refer, in bytes of text. The text of this length before a place is its window.
inline constexpr std::size_t kDeflateWindow = std::size_t{1} << 15;

// Symbols of text: bytes, and marks that stand for bytes of the unknown window, kFirstMark for the farthest one.
using Symbol = std::uint16_t;
inline constexpr Symbol kFirstMark = 1U << 15;

// Symbols of one stretch of text, behind the window that they refer to. The room is allocated once and used again.
class SymbolText {
 public:
  static constexpr std::size_t kMaxSymbols = std::size_t{1} << 23;

  SymbolText();
  // Begins with a window that is not known.
  void begin();
  // Begins with a window that is known, and may be shorter than kDeflateWindow. It may be of this text().
  void begin(std::span<const std::uint8_t> window);
  std::span<Symbol> symbols() { return {room_.get() + kDeflateWindow, size_}; }
  std::size_t size() const { return size_; }

 private:
  friend class SymbolInflater;
  static constexpr std::size_t kSlack = 512;  // that copies may write behind the last symbol
  std::unique_ptr<Symbol[]> room_;
  std::size_t size_ = 0;
  std::size_t farthest_ = 0;  // index in room_ of the first symbol that may be referred to
};

// Why SymbolInflater::run() came back.
enum class Stopped {
  at_border,   // of two blocks, where block_begins_at() holds, at or behind the wanted place
  at_end,      // of the deflate data
  text_full,   // may be called again with an emptied text
  input_ends,  // inside a block; nothing can be said about damage
  fault,
};

class SymbolInflater {
 public:
  // `position`: in bits of the input that run() gets, where a block begins.
  void begin(std::uint64_t position);
  // A new member begins: no earlier text can be referred to.
  void begin_member(std::uint64_t position, SymbolText& text);
  // Appends to `text`. Stops at a border at or behind `wanted`, in bits of `input`. DeflateBits::kPadding bytes of 0
  // must follow the input.
  Stopped run(std::span<const std::uint8_t> input, std::uint64_t wanted, SymbolText& text);
  // Where it stopped, in bits of the input.
  std::uint64_t position() const { return position_; }
  // Borders of blocks that were passed.
  std::size_t blocks() const { return blocks_; }

 private:
  enum class Inside { none, stored, coded };

  std::optional<Stopped> begin_block(DeflateBits& bits, std::span<const std::uint8_t> input, std::uint64_t wanted);
  std::optional<Stopped> copy_stored(DeflateBits& bits, std::span<const std::uint8_t> input, SymbolText& text);
  std::optional<Stopped> decode(DeflateBits& bits, SymbolText& text);
  template <bool kCareful>
  std::optional<Stopped> decode_some(DeflateBits& bits, SymbolText& text);

  DeflateCodes codes_;
  std::uint64_t position_ = 0;
  std::size_t blocks_ = 0;
  std::size_t stored_left_ = 0;  // bytes of a stored block
  Inside inside_ = Inside::none;
  bool last_block_ = false;
};

// Whether a dynamic block that is not the last may begin at `position`. Blocks of other kinds cannot be told from
// noise.
bool block_begins_at(std::span<const std::uint8_t> input, std::uint64_t position);
// The first such position in [begin, end).
std::optional<std::uint64_t> find_block(std::span<const std::uint8_t> input, std::uint64_t begin, std::uint64_t end);

// Turns symbols to bytes, in place: `bytes` may be the room of the symbols. `window`: that marks refer to; its last
// byte is the last one before the text. False if a mark refers to something before the window.
bool resolve_symbols(std::span<const Symbol> symbols, std::span<const std::uint8_t> window, std::uint8_t* bytes);

}  // namespace basesweep
