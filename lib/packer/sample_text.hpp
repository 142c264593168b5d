// Takes a sample of a block of text.
#pragma once

#include <cstdint>
#include <optional>

#include "lib/reader/raw_block.hpp"
#include "lib/search/text_sample.hpp"

namespace basesweep {

// A sample of the block, the same for the same block, for patterns of up to `max_length` bases. Nothing where the block
// has too few bases to judge by, or is faulty: packing it again will tell.
std::optional<TextSample> sample_text(const RawBlock& block, std::uint32_t max_length);

}  // namespace basesweep
