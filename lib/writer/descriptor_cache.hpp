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
  // While this object lives, the file is open. A thread may have one at a time. Throws as keep_open().
  class Use {
   public:
    Use(CachedDescriptor& file, const std::string& shown) : file_(file), fd_(file.take(shown)) {}
    ~Use() { file_.give_back(); }
    Use(const Use&) = delete;
    Use& operator=(const Use&) = delete;

    int fd() const { return fd_; }

   private:
    CachedDescriptor& file_;
    const int fd_;
  };

  CachedDescriptor() = default;
  ~CachedDescriptor() { close(); }
  CachedDescriptor(const CachedDescriptor&) = delete;
  CachedDescriptor& operator=(const CachedDescriptor&) = delete;

  // Makes a new file, for reading and writing; false, with errno set, if that fails. `path` must outlive this object.
  bool create(const std::string& path, mode_t mode);
  // Takes over a descriptor, which stays open.
  void adopt(int descriptor) { fd_ = descriptor; }
  // The descriptor, which then stays open. `shown`: the path as messages show it. Throws IoError if the file cannot be
  // opened again, or is another one than it was.
  int keep_open(const std::string& shown);
  // Throws IoError unless the path leads to the file, which is open.
  void check_place(const std::string& shown) const;
  // Closes the file. 0, or the errno value of an error, also of an earlier time when the file was closed.
  int close() noexcept;

 private:
  friend class OpenFiles;
  int take(const std::string& shown);
  void give_back() noexcept;

  const std::string* path_ = nullptr;  // null: none, or always open
  int fd_ = -1;
  int close_error_ = 0;
  bool in_use_ = false;
  dev_t device_ = 0;
  ino_t inode_ = 0;
  // Neighbours among the open files that are idle, and the object itself while it is none of them.
  CachedDescriptor* earlier_ = this;
  CachedDescriptor* later_ = this;
};

}  // namespace basesweep
