// Inflates deflate data from any block on, also before the text in front of that block is known. Private to the reader.
#pragma once

#include <cstddef>
#include <cstdint>
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

// Where text is inflated to, as bytes or as symbols.
template <class Unit>
struct InflateRoom {
  static constexpr std::size_t kSlack = 512;  // units of room behind `full`, which may be written

  Unit* farthest;  // the first unit that may be referred to
  Unit* at;        // where the text goes on; the last units may pass `full`
  Unit* full;
};

// Why BlockInflater::run() came back.
enum class Stopped {
  at_border,   // of two blocks, where block_begins_at() holds, at or behind the wanted place
  at_end,      // of the deflate data
  text_full,   // may be called again with more room, for bytes instead of symbols too
  input_ends,  // inside a block; nothing can be said about damage
  fault,
};

class BlockInflater {
 public:
  // `position`: in bits of the input that run() gets, where a block begins.
  void begin(std::uint64_t position);
  // The next member begins there.
  void begin_member(std::uint64_t position);
  // Appends to the text. Stops at a border at or behind `wanted`, in bits of `input`. DeflateBits::kPadding bytes of 0
  // must follow the input. Unit: Symbol or std::uint8_t.
  template <class Unit>
  Stopped run(std::span<const std::uint8_t> input, std::uint64_t wanted, InflateRoom<Unit>& room);
  // Where it stopped, in bits of the input.
  std::uint64_t position() const { return position_; }
  // Borders of blocks that were passed.
  std::size_t blocks() const { return blocks_; }

 private:
  enum class Inside { none, stored, coded };

  std::optional<Stopped> begin_block(DeflateBits& bits, std::span<const std::uint8_t> input, std::uint64_t wanted);
  template <class Unit>
  std::optional<Stopped> copy_stored(DeflateBits& bits, std::span<const std::uint8_t> input, InflateRoom<Unit>& room);
  template <bool kCareful, class Unit>
  std::optional<Stopped> decode(DeflateBits& bits, InflateRoom<Unit>& room);

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

// Turns symbols to bytes. `window`: that marks refer to; its last byte is the last one before the text. False if a mark
// refers to something before the window.
bool resolve_symbols(std::span<const Symbol> symbols, std::span<const std::uint8_t> window, std::uint8_t* bytes);

}  // namespace basesweep
