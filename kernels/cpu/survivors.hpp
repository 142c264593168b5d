// The last step of a block's scan: sends what is left to the sink, in order. For sources that are compiled once for
// each instruction set.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/occurrence_sink.hpp"

namespace basesweep::BASESWEEP_ISA {

// Survivor s, 0 to count - 1, is query queries[s]; its bits for the block's positions are the `block_words` words from
// bits[s * block_words] on. The block begins at `position`; words from position `end` on are not sent. Goes word by
// word, so that the sink gets positions in order.
inline void send_survivors(const std::uint64_t* bits, const std::uint64_t* queries, std::uint32_t count,
                           std::uint32_t block_words, std::uint64_t position, std::uint32_t end, OccurrenceSink& sink) {
  if (count == 0) return;
  for (std::uint32_t w = 0; w < block_words && position < end; ++w, position += 64) {
    for (std::uint32_t s = 0; s < count; ++s) {
      const std::uint64_t word = bits[std::size_t{s} * block_words + w];
      if (word != 0) sink.word(static_cast<std::uint32_t>(position), static_cast<std::uint32_t>(queries[s]), word);
    }
  }
}

}  // namespace basesweep::BASESWEEP_ISA
