// Descriptors of files that are written a little at a time, for more files than a process may have open.
#pragma once

#include <sys/types.h>

#include <string>

namespace basesweep {

// The descriptor of a file that is being written. A new file may be closed while it waits for its next write, and is
// then opened again by its name: when too many are open, the one that has waited longest is closed. How many may be
// open follows from RLIMIT_NOFILE, with a part left for everything else that the process opens.
//
// Thread-safe, but each object is used by one thread at a time.
class CachedDescriptor {
 public:
  CachedDescriptor() = default;
  ~CachedDescriptor() { close(); }
  CachedDescriptor(const CachedDescriptor&) = delete;
  CachedDescriptor& operator=(const CachedDescriptor&) = delete;

  // Makes a new file, for reading and writing; false, with errno set, if that fails. `path` must outlive this object.
  bool create(const std::string& path, mode_t mode);
  // Takes over a descriptor, which stays open.
  void adopt(int descriptor) { fd_ = descriptor; }
  // The descriptor, which is open until give_back(). `shown`: the path as messages show it. Throws IoError if the file
  // cannot be opened again, or is another one than it was.
  int take(const std::string& shown);
  void give_back();
  // Whether the path still leads to the file that was made.
  bool is_in_place() const;
  // Closes the file. 0, or the errno value of an error, also of an earlier time when the file was closed.
  int close() noexcept;

 private:
  friend class OpenFiles;
  bool reopen();

  const std::string* path_ = nullptr;  // null: none, or always open
  int fd_ = -1;
  int close_error_ = 0;
  dev_t device_ = 0;
  ino_t inode_ = 0;
  // Neighbours among the open files that wait, and the object itself while it is none of them.
  CachedDescriptor* earlier_ = this;
  CachedDescriptor* later_ = this;
};

}  // namespace basesweep
