// Packs a block of text: ASCII to bit-planes, titles to record starts.
#pragma once

#include <cstddef>

#include "lib/base/isa.hpp"
#include "lib/packer/packed_block.hpp"

namespace basesweep {

struct PackerOptions {
  Isa isa = best_isa();
  bool soft_masked = false;                // list runs of lower case
  bool count_soft_masked = false;          // list them only to be counted: PackedBlock::lower_case
  bool letters = false;                    // list the letters that are not A, C, G, T
  std::size_t max_title_bytes = 1U << 16;  // a longer title line is an error
};

inline bool looks_at_case(const PackerOptions& options) { return options.soft_masked || options.count_soft_masked; }

// Packs a block of text; first reads it, if it is not held (throws IoError). A fault in the text does not throw, since
// blocks are packed in any order and errors must surface in the order of the input: packing stops there, and
// PackedBlock::error says why. Thread-safe.
PackedBlock pack(const RawBlock& raw, const PackerOptions& options);

}  // namespace basesweep
