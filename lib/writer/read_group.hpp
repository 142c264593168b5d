// Read groups of SAM files.
#pragma once

#include <string>

namespace basesweep {

struct ReadGroup {
  std::string line{};  // of the header, with its line end; empty: no read group
  std::string id{};
};

// Parses an @RG line such as "@RG\tID:name\tPL:platform". Tabs may be written as \t. Empty text gives no read group.
// Throws UsageError when the line is malformed.
ReadGroup parse_read_group(std::string text);

}  // namespace basesweep
