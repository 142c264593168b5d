// Candidates for reads: of edits + 1 pieces of an entry one has no edit, so every alignment holds an exact occurrence
// of a piece (pigeonhole). Occurrences come from an index of the reference's q-grams. For the CPU and for CUDA threads.
#pragma once

#include <cstdint>

#include "kernels/text.hpp"
#include "kernels/windows.hpp"
#include "lib/host_device.hpp"
#include "lib/packed_batch.hpp"

namespace basesweep::seeds {

inline constexpr std::uint32_t kLeastGram = 4;
inline constexpr std::uint32_t kMostGram = 14;

// Positions of the reference's columns, sorted by the q-gram that begins there. Those of key x are
// positions[starts[x], starts[x + 1]). Columns that hold no base may be left out, as the CPU does: no piece matches
// there.
struct IndexView {
  const std::uint32_t* starts;  // 4^gram + 1
  const std::uint32_t* positions;
  std::uint32_t gram;  // q
};

// `count` columns (1 to 16), the lowest bits of lo and hi, as a number to base 4, the first column its highest digit:
// so the q-grams that begin with the same columns have keys side by side.
BASESWEEP_HD std::uint32_t key_of(std::uint32_t lo, std::uint32_t hi, std::uint32_t count) {
  // Spreads 16 bits to every second bit.
  const auto spread = [](std::uint32_t x) {
    x = (x | x << 8) & 0x00FF00FF;
    x = (x | x << 4) & 0x0F0F0F0F;
    x = (x | x << 2) & 0x33333333;
    return (x | x << 1) & 0x55555555;
  };
  const auto reverse = [count](std::uint32_t x) {
    x = (x & 0x5555) << 1 | (x >> 1 & 0x5555);
    x = (x & 0x3333) << 2 | (x >> 2 & 0x3333);
    x = (x & 0x0F0F) << 4 | (x >> 4 & 0x0F0F);
    x = (x & 0x00FF) << 8 | (x >> 8 & 0x00FF);
    return x >> (16 - count);
  };
  return spread(reverse(lo & 0xFFFF)) | spread(reverse(hi & 0xFFFF)) << 1;
}

// The lowest `count` (0 to 64) bits.
BASESWEEP_HD std::uint64_t low_bits(std::uint32_t count) { return count == 0 ? 0 : ~std::uint64_t{0} >> (64 - count); }

// Columns [begin, end) of an entry.
struct Piece {
  std::uint32_t begin;
  std::uint32_t end;
  BASESWEEP_HD std::uint32_t length() const { return end - begin; }
};

// Piece `i` of edits + 1 of nearly the same length; none is empty.
BASESWEEP_HD Piece piece_of(const SoughtEntry& entry, std::uint32_t i) {
  const std::uint32_t pieces = entry.edits + 1U;
  return {i * entry.length / pieces, (i + 1) * entry.length / pieces};
}

// Keys [first, end) of the q-grams that a piece may begin with.
struct Keys {
  std::uint32_t first;
  std::uint32_t end;
};

// None where the piece has a column that is no base, since that matches nothing. A piece shorter than a q-gram has all
// q-grams that begin with it; a longer one the q-gram that it begins with, see occurs().
BASESWEEP_HD Keys keys_of(const SoughtView& reads, const SoughtEntry& entry, const Piece& piece, std::uint32_t gram) {
  const std::uint32_t at = spare_columns(entry) + piece.begin;
  for (std::uint32_t done = 0; done < piece.length(); done += 64) {
    const std::uint32_t left = piece.length() - done;
    const std::uint64_t mask = low_bits(left < 64 ? left : 64);
    if ((~columns_at(reads.known + entry.first_word, at + done) & mask) != 0) return {0, 0};
  }
  const std::uint32_t count = piece.length() < gram ? piece.length() : gram;
  const auto lo = static_cast<std::uint32_t>(columns_at(reads.lo + entry.first_word, at));
  const auto hi = static_cast<std::uint32_t>(columns_at(reads.hi + entry.first_word, at));
  const std::uint32_t rest = 2 * (gram - count);
  const std::uint32_t key = key_of(lo, hi, count);
  return {key << rest, (key + 1) << rest};
}

// The places of the index where a piece may occur: positions[first, last).
struct Bucket {
  std::uint32_t first;
  std::uint32_t last;
};

BASESWEEP_HD Bucket bucket_of(const SoughtView& reads, const SoughtEntry& entry, const Piece& piece,
                              const IndexView& index) {
  const Keys keys = keys_of(reads, entry, piece, index.gram);
  return {index.starts[keys.first], index.starts[keys.end]};
}

// Whether the columns of a piece from the q-gram on occur behind a q-gram at `position` of the text.
BASESWEEP_HD bool occurs(const SoughtView& reads, const SoughtEntry& entry, const Piece& piece, const PackedView& text,
                         std::uint32_t gram, std::uint32_t position) {
  const std::uint32_t at = spare_columns(entry) + piece.begin;
  for (std::uint32_t done = gram; done < piece.length(); done += 64) {
    if (std::uint64_t{position} + done >= text.columns) return false;
    const std::uint32_t left = piece.length() - done;
    const std::uint64_t differs =
        (columns_at(reads.lo + entry.first_word, at + done) ^ columns_at(text.lo, position + done)) |
        (columns_at(reads.hi + entry.first_word, at + done) ^ columns_at(text.hi, position + done));
    if ((differs & low_bits(left < 64 ? left : 64)) != 0) return false;
  }
  return true;
}

// Columns [first, end) where alignments end that hold a piece at `position` without edit. Empty (first = end) where
// none can lie in the text.
struct Ends {
  std::uint32_t first;
  std::uint32_t end;
};
BASESWEEP_HD Ends ends_of(const SoughtEntry& entry, const Piece& piece, std::uint32_t position, std::uint32_t columns) {
  const std::int64_t last = std::int64_t{position} - piece.begin + entry.length - 1;  // without indels
  const std::int64_t first = last - entry.edits < 0 ? 0 : last - entry.edits;
  const std::int64_t end = last + entry.edits + 1 > columns ? columns : last + entry.edits + 1;
  return first < end ? Ends{static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(end)} : Ends{0, 0};
}

}  // namespace basesweep::seeds
