#include "lib/writer/descriptor_cache.hpp"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <condition_variable>
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

[[noreturn]] void refuse(const std::string& shown) {
  throw IoError(shown, "its temporary file was removed or replaced during the run");
}

}  // namespace

// The new files that are open, and which of them are idle, in the order in which they were last used. All functions
// need the lock.
class OpenFiles {
 public:
  static OpenFiles& all() {
    static OpenFiles files;
    return files;
  }

  std::mutex mutex;

  // Opens a file; -1, with errno set, if that fails. Closes an idle one for it, or waits for one that is in use.
  int open_one(std::unique_lock<std::mutex>& lock, const char* path, int flags, mode_t mode) {
    while (true) {
      if (open_ < limit() || !can_have_fewer()) {
        const int fd = ::open(path, flags | O_CLOEXEC, mode);
        open_ += fd >= 0;
        if (fd >= 0 || (errno != EMFILE && errno != ENFILE) || !can_have_fewer()) return fd;
      }
      if (!close_oldest()) idle_.wait(lock);
    }
  }

  int close_one(CachedDescriptor& file) {
    set_use(file, false);
    remove(file);
    --open_;
    return ::close(std::exchange(file.fd_, -1)) == 0 ? 0 : errno;
  }

  // A file in use becomes idle, or is closed, before its thread opens another.
  void set_use(CachedDescriptor& file, bool in_use) {
    if (std::exchange(file.in_use_, in_use) == in_use) return;
    in_use ? ++in_use_ : --in_use_;
    if (!in_use) idle_.notify_all();
  }

  // `file` is idle from now on.
  void add(CachedDescriptor& file) {
    set_use(file, false);
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
  bool can_have_fewer() const { return ends_.later_ != &ends_ || in_use_ != 0; }

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
  std::size_t in_use_ = 0;
  std::condition_variable idle_;
};

bool CachedDescriptor::create(const std::string& path, mode_t mode) {
  OpenFiles& files = OpenFiles::all();
  std::unique_lock lock(files.mutex);
  fd_ = files.open_one(lock, path.c_str(), O_RDWR | O_CREAT | O_EXCL, mode);
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

int CachedDescriptor::take(const std::string& shown) {
  if (path_ == nullptr) return fd_;
  OpenFiles& files = OpenFiles::all();
  std::unique_lock lock(files.mutex);
  if (close_error_ != 0) throw IoError(shown, "cannot write", close_error_);
  if (fd_ < 0) {
    fd_ = files.open_one(lock, path_->c_str(), O_RDWR | O_APPEND | O_NOFOLLOW | O_NONBLOCK, 0);
    if (fd_ < 0 && is_other_file(errno)) refuse(shown);
    if (fd_ < 0) throw IoError(shown, "cannot write", errno);
    struct stat status {};
    if (fstat(fd_, &status) != 0 || status.st_dev != device_ || status.st_ino != inode_) {
      files.close_one(*this);
      refuse(shown);
    }
  }
  OpenFiles::remove(*this);
  files.set_use(*this, true);
  return fd_;
}

int CachedDescriptor::keep_open(const std::string& shown) {
  const int fd = take(shown);
  OpenFiles& files = OpenFiles::all();
  const std::lock_guard lock(files.mutex);
  files.set_use(*this, false);
  return fd;
}

void CachedDescriptor::give_back() noexcept {
  if (path_ == nullptr) return;
  OpenFiles& files = OpenFiles::all();
  const std::lock_guard lock(files.mutex);
  if (in_use_) files.add(*this);
}

void CachedDescriptor::check_place(const std::string& shown) const {
  struct stat there {};
  struct stat own {};
  const bool same = lstat(path_->c_str(), &there) == 0 && fstat(fd_, &own) == 0 && there.st_dev == own.st_dev &&
                    there.st_ino == own.st_ino;
  if (!same) refuse(shown);
}

int CachedDescriptor::close() noexcept {
  if (path_ == nullptr) return fd_ < 0 || ::close(std::exchange(fd_, -1)) == 0 ? 0 : errno;
  OpenFiles& files = OpenFiles::all();
  const std::lock_guard lock(files.mutex);
  const int error = fd_ < 0 ? 0 : files.close_one(*this);
  return close_error_ != 0 ? close_error_ : error;
}

}  // namespace basesweep
