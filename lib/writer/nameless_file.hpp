// A temporary file that nothing is left of, however the program ends: it never has a name, or loses it at once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace basesweep {

// Opens a file without a name in the folder, for reading and writing; -1 with errno set if that fails.
int open_nameless(const std::string& directory);

// Bytes that are put aside. Made in `directory` when the first are appended. Not thread-safe.
class NamelessFile {
 public:
  explicit NamelessFile(std::string directory) : directory_(std::move(directory)) {}
  ~NamelessFile();
  NamelessFile(const NamelessFile&) = delete;
  NamelessFile& operator=(const NamelessFile&) = delete;

  // Appends the bytes and returns where they begin. Throws IoError.
  std::int64_t append(std::string_view bytes);
  // Reads `size` bytes at `offset`, which were appended. Throws IoError.
  void read_at(std::int64_t offset, char* to, std::size_t size) const;
  // How many were appended.
  std::int64_t bytes() const { return size_; }

 private:
  std::string directory_;
  int fd_ = -1;
  std::int64_t size_ = 0;
};

// Reads a file from its first byte on, through a buffer. Meanwhile nothing may be appended. Not thread-safe.
class NamelessReader {
 public:
  // The file must outlive the reader.
  NamelessReader(const NamelessFile& file, std::size_t buffer_bytes) : file_(file), buffer_bytes_(buffer_bytes) {}

  bool at_end() const { return at_ == buffer_.size() && offset_ == file_.bytes(); }
  // Reads the next `size` bytes, which must be there. Throws IoError.
  void read(char* to, std::size_t size);

 private:
  const NamelessFile& file_;
  const std::size_t buffer_bytes_;
  std::string buffer_;
  std::size_t at_ = 0;       // in the buffer
  std::int64_t offset_ = 0;  // in the file, of what comes after the buffer
};

}  // namespace basesweep
