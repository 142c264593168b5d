// The CPU loop of `bitsliced`, compiled once for each instruction set from scan.cpp.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/bitsliced/step.hpp"
#include "lib/dna.hpp"
#include "lib/isa.hpp"
#include "lib/packed_batch.hpp"

namespace basesweep::bitsliced {

// Rows are taken through the text so many at a time, as many as registers hold.
inline constexpr std::uint32_t kGroupRows = 4;

// Columns of each text that all windows pass over before the next.
inline constexpr std::uint32_t kTileColumns = 64;

inline constexpr int kMostCountBits = 6;

// A window as the scan takes it.
struct ScanWindow {
  std::uint32_t rows;  // a multiple of kGroupRows
  std::uint32_t edits;
  std::uint8_t mask[kMostRows];  // of each row's set, in ScanIndex::sets
};

struct ScanIndex {
  const ScanWindow* windows;
  const BaseSet* sets;  // all that occur
  std::uint32_t window_count, set_count;
  std::uint32_t warm_up;  // columns of the text before that a text needs: rows + edits, at most kTileColumns
};

// Gets what the windows leave. Free of the standard library, as is HitSink.
class Survivors {
 public:
  // Matches of a window with at most its edits end in all columns [first, last], some of which may lie past the text.
  virtual void run(std::uint32_t window, std::uint64_t first, std::uint64_t last) = 0;

 protected:
  ~Survivors() = default;
};

// Words of scratch memory, aligned to 64 bytes, that a scan needs.
using ScratchFunction = std::size_t (*)(const ScanIndex& index, std::uint32_t columns);
using ScanFunction = void (*)(const ScanIndex& index, const PackedView& text, std::uint64_t* scratch,
                              Survivors& survivors);

}  // namespace basesweep::bitsliced
