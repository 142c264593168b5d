// Temporary files and folders that are removed even when a signal ends the process.
#pragma once

#include <string>
#include <vector>

namespace basesweep {

// From now on SIGINT, SIGTERM, SIGHUP and SIGPIPE remove temporary files and folders before they end the process.
void remove_temporaries_on_signals();

// While this object lives, the signal handler removes its path. The handler knows at most eight paths at a time; more
// are accepted but not removed by it.
class Temporary {
 public:
  enum class Kind { file, empty_folder };  // a folder is removed after all files

  Temporary() = default;
  Temporary(const std::string& path, Kind kind);
  ~Temporary();
  Temporary(Temporary&& other) noexcept;
  Temporary& operator=(Temporary&& other) noexcept;

 private:
  int slot_ = -1;
};

// A new folder in temporary_folder(). It is removed, with its files, when this object is destroyed.
class TemporaryFolder {
 public:
  // `files`: names of the files that may be made in it. Throws IoError.
  explicit TemporaryFolder(std::vector<std::string> files);
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const std::string& path() const { return path_; }
  std::string path(const std::string& file) const { return path_ + "/" + file; }

 private:
  std::string path_;
  std::vector<std::string> files_;
  std::vector<Temporary> watched_;
};

}  // namespace basesweep
