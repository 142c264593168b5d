// The text or bytes that a formatter makes of consecutive rows.
#pragma once

#include <cstdint>

#include "lib/base/text.hpp"
#include "lib/rows/row_codec.hpp"

namespace basesweep {

struct RowText : Text {
  std::uint64_t rows = 0;  // that are encoded in it; 0 in other formats
  RowBefore before{};      // the last of them
};

}  // namespace basesweep
