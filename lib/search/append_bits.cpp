#include "lib/search/append_bits.hpp"

namespace basesweep {

// Takes 64 bits of the source at a time. Bits that do not fit in a word of the target go to the next one.
void append_bits(std::uint64_t* target, std::uint32_t to, const std::uint64_t* source, std::uint32_t from,
                 std::uint32_t count) {
  if (count == 0) return;
  target += to / 64;
  source += from / 64;
  const unsigned used = to % 64;
  const unsigned shift = from % 64;
  const std::size_t behind = shift == 0 ? 0 : 1;  // without a shift, the next word holds none of the bits
  std::uint64_t carried = used == 0 ? 0 : *target;
  for (; count >= 64; count -= 64, ++source) {
    // Shifts by 64 take two steps, since one is undefined.
    const std::uint64_t bits = source[0] >> shift | source[behind] << 1 << (63 - shift);
    *target++ = carried | bits << used;
    carried = bits >> 1 >> (63 - used);
  }
  if (count == 0) {
    if (used != 0) *target = carried;
    return;
  }
  std::uint64_t bits = source[0] >> shift;
  if (shift + count > 64) bits |= source[1] << 1 << (63 - shift);
  bits &= (std::uint64_t{1} << count) - 1;
  target[0] = carried | bits << used;
  if (used + count > 64) target[1] = bits >> 1 >> (63 - used);
}

}  // namespace basesweep
