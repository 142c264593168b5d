#include "lib/base/text.hpp"

#include <algorithm>

namespace basesweep {

void Text::grow(std::size_t min_bytes) {
  const std::string_view old = view();
  capacity_ = std::max(min_bytes, 2 * capacity_);
  auto larger = std::make_unique_for_overwrite<char[]>(capacity_);
  std::copy(old.begin(), old.end(), larger.get());
  data_ = std::move(larger);
}

void Text::append(std::string_view bytes) { advance(std::copy(bytes.begin(), bytes.end(), reserve(bytes.size()))); }

}  // namespace basesweep
