#include "lib/writer/nameless_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "lib/base/error.hpp"

namespace basesweep {

// Where the file system has no files without a name, opens a named one and removes its name.
int open_nameless(const std::string& directory) {
  const int fd = open(directory.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, S_IRUSR | S_IWUSR);
  if (fd >= 0) return fd;
  std::string name = directory + "/basesweep.XXXXXX";
  const int named = mkostemp(name.data(), O_CLOEXEC);
  if (named >= 0) unlink(name.c_str());
  return named;
}

NamelessFile::~NamelessFile() {
  if (fd_ >= 0) close(fd_);
}

std::int64_t NamelessFile::append(std::string_view bytes) {
  if (fd_ < 0) fd_ = open_nameless(directory_);
  if (fd_ < 0) throw IoError(directory_, "cannot make a temporary file in this folder", errno);
  const std::int64_t begin = size_;
  while (!bytes.empty()) {
    const ssize_t written = ::pwrite(fd_, bytes.data(), bytes.size(), size_);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) throw IoError(directory_, "cannot write a temporary file in this folder", errno);
    bytes.remove_prefix(static_cast<std::size_t>(written));
    size_ += written;
  }
  return begin;
}

void NamelessFile::read_at(std::int64_t offset, char* to, std::size_t size) const {
  while (size != 0) {
    const ssize_t got = ::pread(fd_, to, size, offset);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) throw IoError(directory_, "cannot read back a temporary file in this folder", got < 0 ? errno : EIO);
    to += got;
    offset += got;
    size -= static_cast<std::size_t>(got);
  }
}

void NamelessReader::read(char* to, std::size_t size) {
  while (size != 0) {
    if (at_ == buffer_.size()) {
      buffer_.resize(std::min(buffer_bytes_, static_cast<std::size_t>(file_.bytes() - offset_)));
      file_.read_at(offset_, buffer_.data(), buffer_.size());
      offset_ += static_cast<std::int64_t>(buffer_.size());
      at_ = 0;
    }
    const std::size_t part = std::min(size, buffer_.size() - at_);
    std::memcpy(to, buffer_.data() + at_, part);
    to += part;
    at_ += part;
    size -= part;
  }
}

}  // namespace basesweep
