// The libraries that the program is made of.
#pragma once

#include <string>
#include <vector>

namespace basesweep {

struct LibraryVersion {
  std::string name;
  std::string version;
  bool loaded;  // asked of what runs; else what the headers said when it was compiled
};

std::vector<LibraryVersion> library_versions();

}  // namespace basesweep
