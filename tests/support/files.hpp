// Temporary folders and files for tests.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace support {

// A fresh folder that goes away with the object.
class ScratchFolder {
 public:
  ScratchFolder();
  ~ScratchFolder();
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;

  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  std::vector<std::string> names() const;  // of what is in it, sorted

 private:
  std::filesystem::path folder_;
};

enum class Packing { plain, gzip, bgzf };

void write_file(const std::string& path, const std::string& bytes, Packing packing = Packing::plain);
std::string read_file(const std::string& path);      // as it is
std::string read_unpacked(const std::string& path);  // inflated, where it is gzip or BGZF

}  // namespace support
