// A record of the input, as headers name it.
#pragma once

#include <cstdint>
#include <string>

namespace basesweep {

struct RecordInfo {
  std::string name;
  std::int64_t length;
  bool operator==(const RecordInfo&) const = default;
};

}  // namespace basesweep
