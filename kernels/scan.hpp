// Scans that are compiled once for each instruction set. Free of the standard library's functions, for their sources.
#pragma once

#include <cstdint>

#include "kernels/hit_sink.hpp"
#include "lib/isa.hpp"
#include "lib/packed_batch.hpp"

// Declares <room>_scan in the three namespaces that BASESWEEP_ISA names, and <room>::scan_for(isa), which picks one. A
// scan sends every match that the text owns, and may send some that start just outside; `scratch` has
// scratch_words(index) words, aligned to 64 bytes. ScanMatcher (kernels/cpu_matcher.hpp) runs it.
#define BASESWEEP_DECLARE_SCAN(room)                                                                              \
  namespace basesweep {                                                                                           \
  namespace sse42 {                                                                                               \
  void room##_scan(const room::IndexView& index, const PackedView& text, std::uint64_t* scratch, HitSink& sink);  \
  }                                                                                                               \
  namespace avx2 {                                                                                                \
  void room##_scan(const room::IndexView& index, const PackedView& text, std::uint64_t* scratch, HitSink& sink);  \
  }                                                                                                               \
  namespace avx512 {                                                                                              \
  void room##_scan(const room::IndexView& index, const PackedView& text, std::uint64_t* scratch, HitSink& sink);  \
  }                                                                                                               \
  namespace room {                                                                                                \
  inline auto scan_for(Isa isa) { return pick(isa, sse42::room##_scan, avx2::room##_scan, avx512::room##_scan); } \
  }                                                                                                               \
  }
