// Instruction sets that hot loops are compiled for; one is picked when the program starts.
#pragma once

#include <vector>

namespace basesweep {

// x86-64-v2, -v3 and -v4 of the psABI.
enum class Isa { sse42, avx2, avx512 };

// The best set that this processor has, or the one named in the environment variable BASESWEEP_ISA (sse42, avx2,
// avx512). Throws UsageError when that names a set that is unknown or that this processor lacks, Error when it has
// none.
Isa best_isa();

// All sets that this processor has, worst first.
std::vector<Isa> available_isas();

const char* to_string(Isa isa);

// The one of three that is for the set.
template <class Function>
Function pick(Isa isa, Function sse42, Function avx2, Function avx512) {
  return isa == Isa::avx512 ? avx512 : isa == Isa::avx2 ? avx2 : sse42;
}

}  // namespace basesweep
