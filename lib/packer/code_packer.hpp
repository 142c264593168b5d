// Packs blocks of .2bit files. Private to the packer.
#pragma once

#include "lib/packer/packed_block.hpp"
#include "lib/packer/packer.hpp"

namespace basesweep {

// pack() for a block with RawBlock::stretches. Throws IoError.
PackedBlock pack_stretches(const RawBlock& raw, const PackerOptions& options);

}  // namespace basesweep
