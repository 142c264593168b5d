#include "lib/writer/descriptor_cache.hpp"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <mutex>
#include <utility>

#include "lib/base/error.hpp"

namespace basesweep {
namespace {

// Whether open() failed because there is no file, or a link, a folder or a fifo.
bool is_other_file(int code) {
  constexpr std::array kCodes = {ENOENT, ELOOP, EISDIR, ENXIO, ENOTDIR, ESTALE};
  return std::find(kCodes.begin(), kCodes.end(), code) != kCodes.end();
}

}  // namespace

// The new files that are open, and which of them wait, in the order in which they were last used. All functions need
// the lock.
class OpenFiles {
 public:
  static OpenFiles& all() {
    static OpenFiles files;
    return files;
  }

  std::mutex mutex;

  // Opens a file; -1, with errno set, if that fails. Closes others for it.
  int open_one(const char* path, int flags, mode_t mode) {
    while (open_ >= limit() && close_oldest()) {
    }
    int fd = -1;
    do {
      fd = ::open(path, flags | O_CLOEXEC, mode);
    } while (fd < 0 && (errno == EMFILE || errno == ENFILE) && close_oldest());
    open_ += fd >= 0;
    return fd;
  }

  int close_one(CachedDescriptor& file) {
    remove(file);
    --open_;
    return ::close(std::exchange(file.fd_, -1)) == 0 ? 0 : errno;
  }

  // `file` waits from now on.
  void add(CachedDescriptor& file) {
    file.earlier_ = std::exchange(ends_.earlier_, &file);
    file.later_ = &ends_;
    file.earlier_->later_ = &file;
  }

  static void remove(CachedDescriptor& file) {
    file.earlier_->later_ = file.later_;
    file.later_->earlier_ = file.earlier_;
    file.earlier_ = file.later_ = &file;
  }

 private:
  // Inputs, libraries and devices get half of the descriptors, or 256 where that is less.
  static std::size_t limit() {
    constexpr rlim_t kOthers = 256;
    constexpr rlim_t kMost = 1 << 20;
    rlimit files{};
    if (getrlimit(RLIMIT_NOFILE, &files) != 0) return kOthers;
    const rlim_t allowed = std::min(files.rlim_cur, kMost);
    return static_cast<std::size_t>(allowed - std::min(allowed / 2, kOthers));
  }

  bool close_oldest() {
    CachedDescriptor& oldest = *ends_.later_;
    if (&oldest == &ends_) return false;
    oldest.close_error_ = close_one(oldest);
    return true;
  }

  CachedDescriptor ends_;  // of the list: the oldest is the later one, the newest the earlier
  std::size_t open_ = 0;
};

bool CachedDescriptor::create(const std::string& path, mode_t mode) {
  OpenFiles& files = OpenFiles::all();
  const std::lock_guard lock(files.mutex);
  fd_ = files.open_one(path.c_str(), O_RDWR | O_CREAT | O_EXCL, mode);
  if (fd_ < 0) return false;
  path_ = &path;
  struct stat status {};
  if (fstat(fd_, &status) == 0) {
    device_ = status.st_dev;
    inode_ = status.st_ino;
  }
  files.add(*this);
  return true;
}

// Sets fd_ to -1 where the path leads to no file or to another one. To be called with the lock.
bool CachedDescriptor::reopen() {
  OpenFiles& files = OpenFiles::all();
  fd_ = files.open_one(path_->c_str(), O_WRONLY | O_APPEND | O_NOFOLLOW | O_NONBLOCK, 0);
  if (fd_ < 0) return !is_other_file(errno);
  struct stat status {};
  if (fstat(fd_, &status) == 0 && status.st_dev == device_ && status.st_ino == inode_) return true;
  files.close_one(*this);
  return false;
}

int CachedDescriptor::take(const std::string& shown) {
  if (path_ == nullptr) return fd_;
  OpenFiles& files = OpenFiles::all();
  const std::lock_guard lock(files.mutex);
  if (close_error_ != 0) throw IoError(shown, "cannot write", close_error_);
  OpenFiles::remove(*this);
  if (fd_ < 0 && !reopen()) throw IoError(shown, "its temporary file was removed or replaced during the run");
  if (fd_ < 0) throw IoError(shown, "cannot write", errno);
  return fd_;
}

void CachedDescriptor::give_back() {
  if (path_ == nullptr) return;
  OpenFiles& files = OpenFiles::all();
  const std::lock_guard lock(files.mutex);
  if (fd_ >= 0) files.add(*this);
}

bool CachedDescriptor::is_in_place() const {
  struct stat status {};
  return lstat(path_->c_str(), &status) == 0 && status.st_dev == device_ && status.st_ino == inode_;
}

int CachedDescriptor::close() noexcept {
  if (path_ == nullptr) return fd_ < 0 || ::close(std::exchange(fd_, -1)) == 0 ? 0 : errno;
  OpenFiles& files = OpenFiles::all();
  const std::lock_guard lock(files.mutex);
  const int error = fd_ < 0 ? 0 : files.close_one(*this);
  return close_error_ != 0 ? close_error_ : error;
}

}  // namespace basesweep
