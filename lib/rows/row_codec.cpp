#include "lib/rows/row_codec.hpp"

#include <algorithm>

namespace basesweep {

void throw_row_fault() { throw RowFault(); }

NumberAt number_at_end(const char* at, const char* end) {
  const auto first = at == end ? 0U : static_cast<unsigned char>(*at);
  const auto bytes = first == 0 ? kMaxNumberBytes : static_cast<std::size_t>(std::countr_zero(first)) + 1;
  if (bytes > static_cast<std::size_t>(end - at)) throw_row_fault();
  unsigned char padded[kMaxNumberBytes] = {};
  std::copy_n(at, bytes, padded);
  std::uint64_t value;
  std::memcpy(&value, padded + (first == 0 ? 1 : 0), sizeof value);
  return {first == 0 ? value : value >> bytes, at + bytes};
}

}  // namespace basesweep
