// The folder of a run's files.
#pragma once

#include <string>
#include <vector>

#include "lib/writer/temporaries.hpp"

namespace basesweep {

// Folders that were made for files, and that go away again unless the files come.
class OutputFolder {
 public:
  // Makes the folder, and those that it is in, where they are missing. Throws IoError.
  explicit OutputFolder(const std::string& path);
  // Removes the folders that were made, if they are empty.
  ~OutputFolder();
  OutputFolder(const OutputFolder&) = delete;
  OutputFolder& operator=(const OutputFolder&) = delete;

  const std::string& path() const { return path_; }
  std::string file(const std::string& name) const { return path_ + (path_.ends_with('/') ? "" : "/") + name; }

 private:
  struct Made {
    std::string path;
    Temporary watched;
  };

  std::string path_;
  std::vector<Made> made_;
};

}  // namespace basesweep
