// The strands of the text.
#pragma once

#include <cstdint>

namespace basesweep {

enum class Strand : std::uint8_t { plus, minus };

constexpr char strand_letter(Strand strand) { return strand == Strand::plus ? '+' : '-'; }

}  // namespace basesweep
