// Where records of the input go.
#pragma once

#include <cstdint>

#include "lib/writer/byte_sink.hpp"

namespace basesweep {

// A pair matches if any of its mates has a hit, or only if both have one.
enum class PairChoice : std::uint8_t { any, both };

// How many records match and how many do not; of pairs, how many pairs.
struct SplitCounts {
  bool pairs = false;
  std::uint64_t matching = 0;
  std::uint64_t others = 0;
};

// Pairs go to `first` as a whole; or, if `second` is not null, their second mates go there.
struct RecordSinks {
  ByteSink* first = nullptr;  // null: the records are not written
  ByteSink* second = nullptr;
};

}  // namespace basesweep
