// Scans that are compiled once for each instruction set. Free of the standard library's functions, for their sources.
#pragma once

#include <cstdint>

#include "kernels/occurrence_sink.hpp"
#include "lib/base/isa.hpp"
#include "lib/search/packed_view.hpp"

namespace basesweep {

// A room's scan, which BASESWEEP_PER_ISA (lib/base/isa.hpp) declares. It sends every occurrence that the text owns, and
// may send some just outside. `scratch` has scratch_words(index) words of 64 bits, aligned to 64 bytes. ScanMatcher
// (kernels/cpu/cpu_matcher.hpp) runs it.
template <class IndexView>
using ScanFunction = void(const IndexView& index, const PackedView& text, std::uint64_t* scratch, OccurrenceSink& sink);

}  // namespace basesweep
