// A record of the input, as headers and indices list it.
#pragma once

#include <cstdint>
#include <string>

namespace basesweep {

struct RecordInfo {
  std::string name;     // first word of the title
  std::int64_t length;  // in bases, letters that are not A, C, G or T included
  bool operator==(const RecordInfo&) const = default;
};

}  // namespace basesweep
