// Files and folders that go when a signal ends the process.
#pragma once

#include <string>
#include <vector>

namespace basesweep {

// From now on SIGINT, SIGTERM, SIGHUP and SIGPIPE remove temporary files and folders before they end the process.
void remove_temporaries_on_signals();

// Tells the signal handler of a path, as long as it lives; of eight at a time, further ones are not looked after.
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

// A folder of its own in $TMPDIR, else /tmp, that goes with the object and its files.
class TemporaryFolder {
 public:
  // `files`: names of what may come to lie there. Throws IoError.
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
