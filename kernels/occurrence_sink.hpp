// The sink that CPU kernels send occurrences to. Free of the standard library, for sources that are compiled once for
// each instruction set.
//
// Finds::starts: a kernel sends every start in [own_begin, own_end) exactly once. Finds::ends: it sends every end there
// at least once. Either may also send positions outside of that range; the sink ignores them.
#pragma once

#include <cstdint>

namespace basesweep {

class OccurrenceSink {
 public:
  // Sends an occurrence of `query` at position + i for each set bit i. `position` is a multiple of 64.
  virtual void word(std::uint32_t position, std::uint32_t query, std::uint64_t bits) = 0;
  virtual void send(std::uint32_t position, std::uint32_t query) = 0;

 protected:
  ~OccurrenceSink() = default;
};

}  // namespace basesweep
