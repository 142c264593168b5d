#include "tests/support/files.hpp"

#include <htslib/bgzf.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace support {

namespace fs = std::filesystem;

ScratchFolder::ScratchFolder() {
  std::string name = (fs::temp_directory_path() / "basesweep-test-XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("cannot make " + name);
  folder_ = name;
}

ScratchFolder::~ScratchFolder() {
  std::error_code ignored;
  fs::remove_all(folder_, ignored);
}

std::vector<std::string> ScratchFolder::names() const {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder_)) names.push_back(entry.path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

void write_file(const std::string& path, const std::string& bytes, Packing packing) {
  if (packing == Packing::plain) {
    std::ofstream out(path, std::ios::binary);
    if (!(out << bytes).flush()) throw std::runtime_error("cannot write " + path);
    return;
  }
  BGZF* file = bgzf_open(path.c_str(), packing == Packing::gzip ? "wg" : "w");
  if (file == nullptr) throw std::runtime_error("cannot write " + path);
  const bool written = bgzf_write(file, bytes.data(), bytes.size()) == static_cast<ssize_t>(bytes.size());
  if (bgzf_close(file) != 0 || !written) throw std::runtime_error("cannot write " + path);
}

std::string read_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) throw std::runtime_error("cannot read " + path);
  std::ostringstream bytes;
  bytes << in.rdbuf();
  return bytes.str();
}

std::string read_unpacked(const std::string& path) {
  BGZF* file = bgzf_open(path.c_str(), "r");
  if (file == nullptr) throw std::runtime_error("cannot read " + path);
  std::string text;
  char buffer[4096];
  ssize_t got = 0;
  while ((got = bgzf_read(file, buffer, sizeof buffer)) > 0) text.append(buffer, static_cast<std::size_t>(got));
  bgzf_close(file);
  if (got < 0) throw std::runtime_error("cannot inflate " + path);
  return text;
}

std::string in_lines(const std::string& letters, std::size_t width, const std::string& line_end) {
  std::string text;
  for (std::size_t at = 0; at == 0 || at < letters.size(); at += width) text += letters.substr(at, width) + line_end;
  return text;
}

}  // namespace support
