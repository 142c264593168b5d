// The CPU loop of `bitsliced`, compiled once for each instruction set from scan.cpp.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/approximate/bitsliced/step.hpp"
#include "lib/base/dna.hpp"
#include "lib/base/isa.hpp"
#include "lib/search/packed_view.hpp"

namespace basesweep::bitsliced {

// This many rows go through the text together: as many as registers hold.
inline constexpr std::uint32_t kGroupRows = 4;

// All seeds pass over this many positions of each text before the next.
inline constexpr std::uint32_t kTilePositions = 64;

inline constexpr int kMaxCountBits = 6;

// A seed in the form that the scan uses.
struct ScanSeed {
  std::uint32_t rows;  // a multiple of kGroupRows
  std::uint32_t edits;
  std::uint8_t mask[kMaxRows];  // for each row: index of its set in ScanIndex::sets
};

struct ScanIndex {
  const ScanSeed* seeds;
  const BaseSet* sets;  // all sets that occur
  std::uint32_t seed_count, set_count;
  std::uint32_t warm_up;  // positions in front of its own that each text needs: rows + edits, at most kTilePositions
};

// Gets the survivors. Free of the standard library, like OccurrenceSink.
class Survivors {
 public:
  // The seed matches with at most its edits at each end in positions [first, last], some of which may lie past the
  // text.
  virtual void run(std::uint32_t seed, std::uint64_t first, std::uint64_t last) = 0;

 protected:
  ~Survivors() = default;
};

// Words of scratch memory, aligned to 64 bytes, that a scan needs.
using ScratchFunction = std::size_t(const ScanIndex& index, std::uint32_t positions);
using ScanFunction = void(const ScanIndex& index, const PackedView& text, std::uint64_t* scratch, Survivors& survivors);

}  // namespace basesweep::bitsliced

namespace basesweep {
BASESWEEP_PER_ISA(bitsliced::ScratchFunction, bitsliced_scratch_words)
BASESWEEP_PER_ISA(bitsliced::ScanFunction, bitsliced_scan)
}  // namespace basesweep
