#include "tools/output_folder.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <utility>

#include "lib/base/error.hpp"

namespace basesweep {

OutputFolder::OutputFolder(const std::string& path) : path_(path) {
  constexpr mode_t kMode = 0777;  // umask takes its share
  for (std::size_t end = 0; end < path_.size();) {
    end = path_.find('/', end + 1);
    if (end == std::string::npos) end = path_.size();
    std::string folder = path_.substr(0, end);
    const SignalsWait wait;
    if (mkdir(folder.c_str(), kMode) == 0) {
      Temporary watched(folder, Temporary::Kind::empty_folder);
      made_.push_back({std::move(folder), std::move(watched)});
    } else if (const int code = errno; code != EEXIST && access(folder.c_str(), F_OK) != 0) {
      throw IoError(folder, "cannot make this folder", code);
    }
  }
  struct stat status {};
  if (stat(path_.c_str(), &status) != 0) throw IoError(path_, "cannot be read", errno);
  if (!S_ISDIR(status.st_mode)) throw IoError(path_, "is a file, not a folder");
}

OutputFolder::~OutputFolder() {
  // A folder with files stays, since rmdir removes only empty ones.
  for (auto one = made_.rbegin(); one != made_.rend(); ++one) static_cast<void>(rmdir(one->path.c_str()));
}

}  // namespace basesweep
