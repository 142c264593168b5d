// What of the candidates is decided beforehand, for the CPU and for a GPU alike.
#pragma once

#include <cstdint>

#include "lib/finder.hpp"

namespace basesweep::seeds {

// Columns of the q-grams of an index: the fewest that leave a q-gram about four places in random text.
std::uint32_t gram_for(std::uint32_t columns);

// Whether all columns of the reference are searched for the entry, and not just those where a piece of it occurs.
bool is_swept(const SoughtEntry& entry, std::uint32_t columns, Candidates candidates);

// A sweep's windows have so many columns, the last one perhaps fewer: many times what is read in front of each.
std::uint32_t stretch_columns(const SoughtEntry& entry);

}  // namespace basesweep::seeds
