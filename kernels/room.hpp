// What make_matcher() asks of every room.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "kernels/tuning.hpp"
#include "lib/matcher.hpp"

namespace basesweep {

struct RoomOptions {
  const PatternSet& patterns;
  std::vector<std::uint32_t> entries;  // those of the set that the matcher is to search for
  Output output = Output::hits;
  Isa isa = Isa::sse42;
  int gpu = 0;
  Tuning tuning{};
};

namespace cuda {
class Kernel;
}

// What rooms that take no IUPAC codes have to say of an entry with some, and those that take no more than `most`
// columns of a longer one; `why` ends the sentence.
std::optional<std::string> decline_sets(const Entry& entry);
std::optional<std::string> decline_longer(const Entry& entry, std::size_t most, const char* why = "");

// Each room defines, in cpu.cpp and cuda.cu:
//   decline(entry)       why the algorithm cannot take an entry, or nothing
//   make_cpu_matcher     never fails for entries it does not decline
//   make_cuda_kernel     see kernels/cuda/kernel.hpp; only in builds with CUDA
#define BASESWEEP_DECLARE_ROOM(room)                                          \
  namespace room {                                                            \
  std::optional<std::string> decline(const Entry& entry);                     \
  std::unique_ptr<Matcher> make_cpu_matcher(const RoomOptions& options);      \
  std::unique_ptr<cuda::Kernel> make_cuda_kernel(const RoomOptions& options); \
  }

BASESWEEP_DECLARE_ROOM(planes)
BASESWEEP_DECLARE_ROOM(drk2s)
BASESWEEP_DECLARE_ROOM(ac_dfa)
BASESWEEP_DECLARE_ROOM(ac_nfa)
BASESWEEP_DECLARE_ROOM(set_horspool)
BASESWEEP_DECLARE_ROOM(sbom)
BASESWEEP_DECLARE_ROOM(wu_manber)
BASESWEEP_DECLARE_ROOM(sog)
BASESWEEP_DECLARE_ROOM(crk)
BASESWEEP_DECLARE_ROOM(drk)
BASESWEEP_DECLARE_ROOM(drk_wom32)  // in the folder drk, like drk_wom64
BASESWEEP_DECLARE_ROOM(drk_wom64)
BASESWEEP_DECLARE_ROOM(hrk)
BASESWEEP_DECLARE_ROOM(qgrams)
BASESWEEP_DECLARE_ROOM(hmm)
BASESWEEP_DECLARE_ROOM(myers)
BASESWEEP_DECLARE_ROOM(bitsliced)
BASESWEEP_DECLARE_ROOM(pigeonhole)
BASESWEEP_DECLARE_ROOM(hamming)

#undef BASESWEEP_DECLARE_ROOM

}  // namespace basesweep
