// The lowest costs of the alignments of a pattern to stretches of text, for the fast oracle.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace differ {

// A set of bases for each letter, one bit for each base; 0 matches nothing.
using Masks = std::vector<std::uint8_t>;

Masks pattern_masks(const std::string& letters);
Masks text_masks(const std::string& letters);

// A pattern, or its part inside of a record, written along the forward strand, with its limits.
struct Probe {
  Masks masks;
  std::size_t edits = 0;  // at most kMaxEdits
  std::size_t mismatches = 0;
  std::size_t indels = 0;
  std::size_t dna_bulges = 0;
  std::size_t rna_bulges = 0;
  std::size_t clamp_left = 0;
  std::size_t clamp_right = 0;

  std::size_t length() const { return masks.size(); }
  bool clamped(std::size_t position) const { return position < clamp_left || position >= length() - clamp_right; }
  // Whether text may be inserted before position `gap` (length(): behind the last).
  bool open(std::size_t gap) const {
    if (gap == 0) return clamp_left == 0;
    if (gap == length()) return clamp_right == 0;
    return !clamped(gap - 1) || !clamped(gap);
  }
};

struct Cost {
  std::size_t edits;
  std::size_t indels;
  bool operator==(const Cost&) const = default;
};

// The lowest costs for one probe; working memory is kept between calls.
class AlignmentCosts {
 public:
  explicit AlignmentCosts(const Probe& probe);

  // Element d: the cost of the whole probe aligned to its length - edits + d letters from `text` on; nothing when the
  // limits allow no alignment. `size`: letters of text that there are.
  const std::vector<std::optional<Cost>>& from(const std::uint8_t* text, std::size_t size);

 private:
  // The alignments of some positions to some letters, by what they cost: bit r of word m stands for m mismatches and r
  // positions alone. The letters alone follow from the two lengths.
  using Cell = std::uint32_t*;

  Cell cell(std::vector<std::uint32_t>& row, std::size_t shift) const { return row.data() + shift * width_; }
  bool fill_row(std::size_t position, const std::uint8_t* text, std::size_t size);

  const Probe& probe_;
  std::size_t width_;   // words of a cell
  std::size_t shifts_;  // cells of a row: letters less positions, from -edits to edits
  std::vector<std::uint32_t> allowed_;
  std::vector<std::uint32_t> above_, row_;
  std::vector<std::optional<Cost>> costs_;
};

// Where alignments with at most `probe.edits` edits may start, limits and clamps aside: sorted, disjoint intervals.
std::vector<std::pair<std::size_t, std::size_t>> possible_starts(const Probe& probe, const Masks& text);

}  // namespace differ
