#include "lib/search/append_bits.hpp"

#include <algorithm>
#include <cstring>

namespace basesweep {
namespace {

// `count` bits of the source from bit `from` on; 1 to 64. Loads no word that has none of them.
std::uint64_t bits_at(const std::uint64_t* source, std::uint32_t from, std::uint32_t count) {
  source += from / 64;
  const unsigned shift = from % 64;
  std::uint64_t bits = source[0] >> shift;
  if (shift + count > 64) bits |= source[1] << (64 - shift);
  return count == 64 ? bits : bits & ((std::uint64_t{1} << count) - 1);
}

}  // namespace

// No word of the target waits for the one before, so that the compiler makes vectors of the loop.
void append_bits(std::uint64_t* target, std::uint32_t to, const std::uint64_t* source, std::uint32_t from,
                 std::uint32_t count) {
  target += to / 64;
  if (const std::uint32_t used = to % 64; used != 0 && count != 0) {
    const std::uint32_t completes = std::min(count, 64 - used);
    *target++ |= bits_at(source, from, completes) << used;
    from += completes;
    count -= completes;
  }
  const std::uint32_t words = count / 64;
  const std::uint64_t* const words_from = source + from / 64;
  if (const unsigned shift = from % 64; shift == 0) {
    if (words != 0) std::memcpy(target, words_from, words * sizeof(std::uint64_t));
  } else {
    for (std::uint32_t i = 0; i < words; ++i) {
      target[i] = words_from[i] >> shift | words_from[i + 1] << (64 - shift);
    }
  }
  if (count % 64 != 0) target[words] = bits_at(source, from + 64 * words, count % 64);
}

}  // namespace basesweep
