// Temporary folders and files for tests.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace support {

// A new temporary folder. The destructor removes it with everything in it.
class ScratchFolder {
 public:
  ScratchFolder();
  ~ScratchFolder();
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;

  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  std::vector<std::string> names() const;  // names of its entries, sorted

 private:
  std::filesystem::path folder_;
};

enum class Packing { plain, gzip, bgzf };

void write_file(const std::string& path, const std::string& bytes, Packing packing = Packing::plain);
std::string read_file(const std::string& path);
std::string read_unpacked(const std::string& path);  // decompressed if it is gzip or BGZF

// The letters as lines of a width; one empty line if there are none.
std::string in_lines(const std::string& letters, std::size_t width, const std::string& line_end);

}  // namespace support
