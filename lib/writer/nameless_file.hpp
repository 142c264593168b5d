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

 private:
  std::string directory_;
  int fd_ = -1;
  std::int64_t size_ = 0;
};

}  // namespace basesweep
