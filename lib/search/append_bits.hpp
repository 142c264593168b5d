// Copies stretches of planes.
#pragma once

#include <cstddef>
#include <cstdint>

namespace basesweep {

// Words of a plane that hold this many positions.
constexpr std::size_t words_for(std::uint64_t positions) { return (positions + 63) / 64; }

// Writes bits [from, from + count) of `source` to bits [to, ...) of `target`, whose bits from `to` up to the next word
// border must be 0. Bits past the end of the last word written are 0 afterwards.
void append_bits(std::uint64_t* target, std::uint32_t to, const std::uint64_t* source, std::uint32_t from,
                 std::uint32_t count);

}  // namespace basesweep
