// Steps of trimming that look at the letters or the qualities of a read. Rules: docs/reads.md; they are those of
// cutadapt.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "lib/trim/adapter_set.hpp"

namespace basesweep {

// The character of quality 0. Limits for qualities that are written with another one are shifted by the caller.
inline constexpr char kQualityBase = '!';

// The part of a read between its ends of low quality. Each end is cut where the sum of (limit - quality) from the end
// is largest; a sum below 0 ends the search (BWA's rule). A limit of 0 cuts nothing.
ReadRange quality_range(std::string_view quality, int front_limit, int back_limit);

// The end of a read without its 3' end of low quality, where G counts as one less than the limit: dark cycles are G.
std::uint32_t nextseq_end(std::string_view bases, std::string_view quality, int limit);

// The start of the poly-A tail: the suffix of at most 20 % other bases with the largest count of A - 2 x others; at
// least 3 bases.
std::uint32_t poly_a_begin(std::string_view bases);
// The end of the poly-T head, likewise.
std::uint32_t poly_t_end(std::string_view bases);

// Whether the letter is an unknown base: N or '.'.
constexpr bool is_unknown(char letter) { return letter == 'N' || letter == '.'; }
// The part of a read between its ends of unknown bases.
ReadRange known_range(std::string_view bases);
// Unknown bases, n too.
std::size_t count_unknown(std::string_view bases);

// The sum of the error probabilities of the qualities.
double expected_errors(std::string_view quality);

}  // namespace basesweep
