#include "lib/search/append_bits.hpp"

#include <algorithm>

namespace basesweep {

void append_bits(std::uint64_t* target, std::uint32_t to, const std::uint64_t* source, std::uint32_t from,
                 std::uint32_t count) {
  const auto source_words = words_for(std::uint64_t{from} + count);
  const auto bits_at = [&](std::uint64_t bit) {
    const std::size_t word = bit / 64;
    const unsigned shift = bit % 64;
    std::uint64_t bits = source[word] >> shift;
    if (shift != 0 && word + 1 < source_words) bits |= source[word + 1] << (64 - shift);
    return bits;
  };
  std::uint32_t done = 0;
  if (const unsigned used = to % 64; used != 0 && count != 0) {
    const std::uint32_t first = std::min(64 - used, count);
    const std::uint64_t mask = first == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << first) - 1;
    target[to / 64] |= (bits_at(from) & mask) << used;
    done = first;
  }
  std::size_t word = words_for(to);
  for (; count - done >= 64; done += 64) target[word++] = bits_at(std::uint64_t{from} + done);
  if (done < count) {
    target[word] = bits_at(std::uint64_t{from} + done) & ((std::uint64_t{1} << (count - done)) - 1);
  }
}

}  // namespace basesweep
