// The libraries that the program is made of.
#pragma once

#include <string>
#include <vector>

namespace basesweep {

struct LibraryVersion {
  std::string name;
  std::string version;
  bool loaded;  // true: the version of the library that runs; false: the version of the headers it was built with
};

// glibc, HTSlib, oneTBB, ISA-L, libzstd, libbz2, liblzma, fmt, nlohmann-json.
std::vector<LibraryVersion> library_versions();

}  // namespace basesweep
