// Staged scans: one function that the CPU runs on all of a text (kernels/cpu/staged_matcher.hpp) and each CUDA thread
// on a stretch of it (kernels/cuda/staged.cuh). Such a room has in step.hpp a
//   struct Scan : IndexView {
//     template <class Fetch, class Text, class Emit>
//     BASESWEEP_HD void operator()(const Text& text, std::uint32_t begin, std::uint32_t end, Emit emit) const;
//   };
// It reads tables by Fetch::get() and text by lo_at() and hi_at(). It calls emit(position, query) exactly once for
// every occurrence that belongs to positions [begin, end); the sink drops those that the batch does not own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "kernels/text.hpp"
#include "lib/base/host_device.hpp"

namespace basesweep {

// The text that a Scan needs.
struct StagedReach {
  // A scan of positions [begin, end) calls lo_at() and hi_at() with positions in [begin - left, end + right) only,
  // unless it reads whole_text().
  std::uint32_t left = 0;
  std::uint32_t right = 0;
  // For a batch, positions [own_begin + begin_after, own_end + end_after) are scanned.
  std::uint32_t begin_after = 0;
  std::uint32_t end_after = 0;
  // Positions past its part that a scan looks at or could have skipped: of its last window, or its longest query.
  std::uint32_t past = 0;
  // Positions that a GPU's thread best scans in a row, an odd multiple of 32; 0: by `past`.
  std::uint32_t stretch = 0;
};

// Reads tables as they lie in memory.
struct PlainFetch {
  template <class T>
  static BASESWEEP_HD T get(const T* value) {
    return *value;
  }
};

// Reads tables on a GPU through the read-only path, for memory that nobody writes while a kernel runs.
struct ReadOnlyFetch {
  template <class T>
  static BASESWEEP_HD T get(const T* value) {
#ifdef __CUDA_ARCH__
    return __ldg(value);
#else
    return *value;
#endif
  }
};

// Some types of Text hold no more than StagedReach says (TileText in kernels/cuda/staged.cuh). This returns all of the
// text.
BASESWEEP_HD PlanesText whole_text(const PlanesText& text) { return text; }

// Reads the bases of a text leftwards, beginning with the one before `position`.
template <class Text>
class Leftward {
 public:
  BASESWEEP_HD Leftward(const Text& text, std::uint32_t position) : text_(text), position_(position) {}

  // The position of the base that next() returned last.
  BASESWEEP_HD std::uint32_t position() const { return position_; }

  // The code of the next base. Not to be called at position 0.
  BASESWEEP_HD unsigned next() {
    if (left_ == 0) fill();
    const unsigned code = lo_ >> 31 | (hi_ >> 31) << 1;
    lo_ <<= 1;
    hi_ <<= 1;
    --left_;
    --position_;
    return code;
  }

 private:
  // Reads up to 32 bases, but nothing before position 0.
  BASESWEEP_HD void fill() {
    left_ = position_ < 32 ? position_ : 32;
    lo_ = text_.lo_at(position_ - left_) << (32 - left_);
    hi_ = text_.hi_at(position_ - left_) << (32 - left_);
  }

  const Text& text_;
  std::uint32_t position_;
  std::uint32_t left_ = 0;  // bases in lo_ and hi_, the next one highest
  std::uint32_t lo_ = 0;
  std::uint32_t hi_ = 0;
};

// The q-gram at a position of a pattern, given by its codes: the same number as qgram_at() returns for a text.
inline std::uint32_t qgram_of(const std::vector<std::uint8_t>& codes, std::size_t position, std::uint32_t q) {
  std::uint32_t lo = 0;
  std::uint32_t hi = 0;
  for (std::uint32_t i = 0; i < q; ++i) {
    lo |= (codes[position + i] & 1U) << i;
    hi |= (codes[position + i] >> 1 & 1U) << i;
  }
  return qgram(lo, hi, q);
}

}  // namespace basesweep
