// The instruction sets that hot loops are compiled for. The program picks one when it starts.
#pragma once

#include <array>
#include <vector>

namespace basesweep {

// The levels x86-64-v2, -v3 and -v4 of the psABI; NEON, which every 64-bit ARM processor has.
enum class Isa { sse42, avx2, avx512, neon };

// The sets that this program is compiled for, worst first.
#if defined(__aarch64__)
inline constexpr std::array kIsas{Isa::neon};
#else
inline constexpr std::array kIsas{Isa::sse42, Isa::avx2, Isa::avx512};
#endif

// The best set that this processor has, or the one that the environment variable BASESWEEP_ISA names (sse42, avx2,
// avx512 or neon). Throws UsageError when that set is unknown or the processor lacks it, and Error when the processor
// has none of them.
Isa best_isa();

// All sets that this processor has, worst first.
std::vector<Isa> available_isas();

const char* to_string(Isa isa);

// Returns the argument for the instruction set. NEON has the one of SSE4.2, since its vectors are as wide.
template <class Function>
Function pick(Isa isa, Function sse42, Function avx2, Function avx512) {
  return isa == Isa::avx512 ? avx512 : isa == Isa::avx2 ? avx2 : sse42;
}

// Declares function `name` of function type `Type`, which is compiled once for each instruction set, each copy in the
// namespace that BASESWEEP_ISA names; and name_for(isa), which returns the copy for a set. For use in namespace
// basesweep.
// NOLINTBEGIN(bugprone-macro-parentheses): types cannot be in parentheses
#if defined(__aarch64__)
#define BASESWEEP_PER_ISA(Type, name) \
  namespace neon {                    \
  Type name;                          \
  }                                   \
  inline Type* name##_for(Isa) { return neon::name; }
#else
#define BASESWEEP_PER_ISA(Type, name) \
  namespace sse42 {                   \
  Type name;                          \
  }                                   \
  namespace avx2 {                    \
  Type name;                          \
  }                                   \
  namespace avx512 {                  \
  Type name;                          \
  }                                   \
  inline Type* name##_for(Isa isa) { return pick(isa, sse42::name, avx2::name, avx512::name); }
#endif
// NOLINTEND(bugprone-macro-parentheses)

}  // namespace basesweep
