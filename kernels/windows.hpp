// Stretches of the reference in which ends of a read's entry are looked for; what finds them there takes lists of such.
#pragma once

#include <cstdint>

#include "lib/host_device.hpp"
#include "lib/reads/read_batch.hpp"

namespace basesweep {

// Columns [first, end) of the reference; not empty.
struct SoughtWindow {
  std::uint32_t entry;
  std::uint32_t first;
  std::uint32_t end;
};

// Where to begin reading for the ends from `first` on to be exact: no alignment is longer than length + edits.
BASESWEEP_HD constexpr std::uint32_t context_begin(const SoughtEntry& entry, std::uint32_t first) {
  const std::uint32_t before = std::uint32_t{entry.length} + entry.edits - 1;
  return first > before ? first - before : 0;
}

// The bits below an entry's first column in its first word.
BASESWEEP_HD constexpr std::uint32_t spare_columns(const SoughtEntry& entry) {
  return 64 * ((entry.length + 63U) / 64) - entry.length;
}

}  // namespace basesweep
