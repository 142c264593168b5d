// Which words of the text are looked up for a guide, so that no place is missed.
//
// The two words are q bases each, [0, q) and [q, 2 q) from the border on. However a guide lies on the text, with or
// without bulge, its m mismatches are dealt to the two words and what is beyond: one word has at most a of them or the
// other at most b, with a + b = m - 1. So all words are looked up that differ from a guide's first word in a bases or
// fewer, or from its second word in b. Where the bulge lies decides what the words should be, and a is chosen for
// fewest look-ups.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "lib/base/host_device.hpp"
#include "lib/guides/guide_set.hpp"
#include "lib/guides/shape.hpp"

namespace basesweep::halves {

// Alignments with a bulge of one kind and size, with Shape::at in [first, last]. Without bulge, all are 0.
struct alignas(16) ShapeRange {  // which a GPU reads at once
  ShapeRange() = default;
  ShapeRange(Bulge kind, std::uint32_t bases, std::uint32_t first_at, std::uint32_t last_at);

  Bulge bulge = Bulge::none;
  std::uint8_t size = 0;
  std::uint8_t first = 0;
  std::uint8_t last = 0;
  // Bases of the guide, as bits: those on the PAM's side of all these bulges, and those beyond.
  std::uint32_t near = ~0U;
  std::uint32_t beyond = 0;

  // How many bases a bulge moves what lies beyond it: a DNA bulge away from the PAM, an RNA bulge toward it.
  BASESWEEP_HD std::uint32_t moved_right() const { return bulge == Bulge::dna ? size : 0; }
  BASESWEEP_HD std::uint32_t left_out() const { return bulge == Bulge::rna ? size : 0; }
};

inline constexpr std::uint32_t kPartBits = 8;
inline constexpr std::uint32_t kParts = 1U << kPartBits;

// A word of the text that is looked up. It is what the guide would have there in the alignment `word`, but for at most
// so many mismatches as `deltas` has.
struct Form {
  bool second;                        // the word [q, 2 q), not [0, q)
  GuideShape word;                    // how the guide lies on the text
  std::vector<ShapeRange> shapes;     // the alignments that are found by this word
  std::uint32_t free;                 // bases of the word that may be any: in a DNA bulge, or past the guide's end
  std::vector<std::uint32_t> deltas;  // XOR differences of keys, see key_of(); of free bases all; by part
  // The keys of a plan have kParts parts, by their highest bits. Differences [parts[i], parts[i + 1]) lead from any
  // part p to part p ^ i.
  std::array<std::uint32_t, kParts + 1> parts;
};

struct LookupPlan {
  std::uint32_t q = 0;
  std::vector<Form> forms;
  std::vector<ShapeRange> shapes;  // all alignments
  std::size_t lookups = 0;         // for a guide of single bases
};

inline constexpr std::uint32_t kMaxWord = 10;  // q at most
// Plans with more look-ups are empty: each site is then compared with each guide.
inline constexpr std::size_t kMaxLookups = std::size_t{1} << 22;

// The plan for guides of one length.
LookupPlan make_plan(std::uint32_t guide_length, const GuideLimits& limits);

// How far the number of a key's part is shifted in the key.
BASESWEEP_HD constexpr std::uint32_t part_shift(std::uint32_t q) { return 2 * q - kPartBits; }

// The key of a word: its low code bits, then its high ones.
BASESWEEP_HD constexpr std::uint32_t key_of(std::uint64_t lo, std::uint64_t hi, std::uint32_t first, std::uint32_t q) {
  const std::uint64_t mask = (1ULL << q) - 1;
  return static_cast<std::uint32_t>((lo >> first & mask) | (hi >> first & mask) << q);
}

// The guide in the order of the text, as it lies there in this alignment. Text bases of a DNA bulge, and those past the
// guide's end, match anything.
GuideBits on_text(const GuideBits& guide, const GuideShape& shape);

}  // namespace basesweep::halves
