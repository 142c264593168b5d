#include "lib/base/temporary_folder.hpp"

#include <cstdlib>

namespace basesweep {

std::string temporary_folder() {
  const char* folder = std::getenv("TMPDIR");
  return folder == nullptr || *folder == '\0' ? "/tmp" : folder;
}

}  // namespace basesweep
