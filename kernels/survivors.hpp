// The end of a block's scan, for sources compiled once for each instruction set: what is left goes to the sink in
// order.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/hit_sink.hpp"

namespace basesweep::BASESWEEP_ISA {

// Survivor s is the entry `entries[s]`; its bits for the block's positions are the `block_words` words from
// bits[s * block_words] on. The block starts at `column`; words from `end` on are not sent. Word by word, so that the
// sink gets columns in order.
inline void send_survivors(const std::uint64_t* bits, const std::uint64_t* entries, std::uint32_t count,
                           std::uint32_t block_words, std::uint64_t column, std::uint32_t end, HitSink& sink) {
  if (count == 0) return;
  for (std::uint32_t w = 0; w < block_words && column < end; ++w, column += 64) {
    for (std::uint32_t s = 0; s < count; ++s) {
      const std::uint64_t word = bits[std::size_t{s} * block_words + w];
      if (word != 0) sink.word(static_cast<std::uint32_t>(column), static_cast<std::uint32_t>(entries[s]), word);
    }
  }
}

}  // namespace basesweep::BASESWEEP_ISA
