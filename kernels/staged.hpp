// What scans are made of that run on the CPU (kernels/staged_matcher.hpp) and, a chunk of text each, as the CUDA
// threads of kernels/cuda/staged.cuh. Such a room has in step.hpp a
//   struct Scan : IndexView {
//     template <class Fetch, class Text, class Emit>
//     BASESWEEP_HD void operator()(const Text& text, std::uint32_t begin, std::uint32_t end, Emit emit) const;
//   };
// which reads tables by Fetch::get() and text by lo_at() and hi_at(), and calls emit(column, entry), once, for every
// match that belongs to columns [begin, end). What the batch does not own the sink drops.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "kernels/text.hpp"
#include "lib/host_device.hpp"

namespace basesweep {

// What a Scan does not say itself.
struct StagedReach {
  // A scan of columns [begin, end) reads text in [begin - left, end + right) only, but for whole_text(); where it
  // reads 32 columns, this is about the first.
  std::uint32_t left = 0;
  std::uint32_t right = 0;
  // The columns that are scanned for a batch: [own_begin + begin_after, own_end + end_after).
  std::uint32_t begin_after = 0;
  std::uint32_t end_after = 0;
};

// How a scan reads its tables: Fetch::get(pointer).
struct PlainFetch {
  template <class T>
  static BASESWEEP_HD T get(const T* value) {
    return *value;
  }
};

// On a GPU through the read-only path, which is for memory that nobody writes while a kernel runs.
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

// A Text may hold no more than a scan has asked for (StagedReach in kernels/cuda/staged.cuh). This holds all of it.
BASESWEEP_HD PlanesText whole_text(const PlanesText& text) { return text; }

// Reads a text's bases leftwards: the first is the one before `column`.
template <class Text>
class Leftward {
 public:
  BASESWEEP_HD Leftward(const Text& text, std::uint32_t column) : text_(text), column_(column) {}

  // The column of the base that came last.
  BASESWEEP_HD std::uint32_t column() const { return column_; }

  // The code of the next base. Not to be called at column 0.
  BASESWEEP_HD unsigned next() {
    if (left_ == 0) fill();
    const unsigned code = lo_ >> 31 | (hi_ >> 31) << 1;
    lo_ <<= 1;
    hi_ <<= 1;
    --left_;
    --column_;
    return code;
  }

 private:
  // Nothing before column 0 may be read.
  BASESWEEP_HD void fill() {
    left_ = column_ < 32 ? column_ : 32;
    lo_ = text_.lo_at(column_ - left_) << (32 - left_);
    hi_ = text_.hi_at(column_ - left_) << (32 - left_);
  }

  const Text& text_;
  std::uint32_t column_;
  std::uint32_t left_ = 0;  // bases in lo_ and hi_, the next one highest
  std::uint32_t lo_ = 0;
  std::uint32_t hi_ = 0;
};

// The q-gram at a column of a pattern given by its codes, as qgram_at() has it of a text.
inline std::uint32_t qgram_of(const std::vector<std::uint8_t>& codes, std::size_t column, std::uint32_t q) {
  std::uint32_t lo = 0;
  std::uint32_t hi = 0;
  for (std::uint32_t i = 0; i < q; ++i) {
    lo |= (codes[column + i] & 1U) << i;
    hi |= (codes[column + i] >> 1 & 1U) << i;
  }
  return qgram(lo, hi, q);
}

}  // namespace basesweep
