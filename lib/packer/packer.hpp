// Packs a block of text: ASCII to bit-planes, titles to record starts.
#pragma once

#include <cstddef>

#include "lib/isa.hpp"
#include "lib/packer/packed_block.hpp"

namespace basesweep {

struct PackerOptions {
  Isa isa = best_isa();
  bool soft_masked = false;                // list lower-case stretches
  bool letters = false;                    // list the letters that are not A, C, G, T
  std::size_t max_title_bytes = 1U << 16;  // a longer title line is an error
};

// Reads the block's text where that is still to be done (throws IoError) and packs it. Text that is not as it should be
// does not throw but stops the packing and is told in PackedBlock::error, so that errors surface in input order.
// Thread-safe.
PackedBlock pack(const RawBlock& raw, const PackerOptions& options);

}  // namespace basesweep
