// The read group that records of a SAM file belong to.
#pragma once

#include <string>

namespace basesweep {

struct ReadGroup {
  std::string line{};  // of the header, its end included; empty: there is none
  std::string id{};
};

// From an @RG line with ID, PL and so on, tabs as \t or as such; none from nothing. Throws UsageError when it is not
// well formed.
ReadGroup parse_read_group(std::string text);

}  // namespace basesweep
