// What `drk2s` prepares from the patterns: for each entry the sub-pattern to skim for, and the whole in chunks of 32.
#pragma once

#include <cstdint>
#include <vector>

#include "kernels/text.hpp"
#include "lib/pattern_set.hpp"

namespace basesweep::drk2s {

inline constexpr std::uint32_t kMaxLength = 65'536;
// Sub-patterns begin at most this far into an entry, so that a block of text needs few windows past its end.
inline constexpr std::uint32_t kMaxOffset = 48;

// The bases [offset, offset + window) of an entry, or all of it where it is shorter than the window. Their fingerprint
// has the low code bits of the window's bases in its low half, the first base lowest, and their high code bits in the
// high half: two bit-fields of the planes side by side.
struct SubPattern {
  std::uint32_t fingerprint;
  std::uint32_t mask;  // bits of the fingerprint that stand for bases: all, unless the entry is shorter than the window
  std::uint32_t offset;
  std::uint32_t entry;  // index in the PatternSet
  std::uint32_t first_chunk;
  std::uint32_t chunk_count;  // 0 where the fingerprint is all there is to know
};

// As plain pointers, for the scans.
struct IndexView {
  const SubPattern* subpatterns;
  const Chunk* chunks;
  std::uint32_t count;
  std::uint32_t max_offset;
};

struct Index {
  // Takes the given entries of the set; none may have IUPAC codes. `window`: bases of a sub-pattern, 16 at most (both
  // scans take 8).
  Index(const PatternSet& patterns, const std::vector<std::uint32_t>& entries, std::uint32_t window);

  IndexView view() const {
    return {subpatterns.data(), chunks.data(), static_cast<std::uint32_t>(subpatterns.size()), max_offset};
  }

  std::vector<SubPattern> subpatterns;
  std::vector<Chunk> chunks;
  std::uint32_t max_offset = 0;
};

}  // namespace basesweep::drk2s
