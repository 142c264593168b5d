#include "lib/writer/sync.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>

#include "lib/base/error.hpp"

namespace basesweep {
namespace {

bool is_synced(int fd) {
  return fsync(fd) == 0 || errno == EINVAL || errno == ENOTSUP;  // some file systems cannot sync
}

void sync(const std::string& path, int flags, const std::string& shown) {
  const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC | flags);
  const bool synced = fd >= 0 && is_synced(fd);
  const int code = errno;
  if (fd >= 0) close(fd);
  if (!synced) throw IoError(shown, "cannot write", code);
}

}  // namespace

void sync_file(const std::string& path, const std::string& shown) { sync(path, 0, shown); }

void sync_descriptor(int descriptor, const std::string& shown) {
  if (!is_synced(descriptor)) throw IoError(shown, "cannot write", errno);
}

void sync_folder_of(const std::string& path, const std::string& shown) {
  const std::size_t slash = path.rfind('/');
  const std::string folder = slash == std::string::npos ? "." : path.substr(0, slash + 1);
  if (access(folder.c_str(), R_OK) == 0) sync(folder, O_DIRECTORY, shown);
}

}  // namespace basesweep
