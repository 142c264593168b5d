// The read groups of several files of alignments.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace basesweep {

class ReadGroups {
 public:
  // Adds @RG lines of a header, without line ends, but for those that are there. Throws DataError, which names `path`,
  // when one has the ID of another line.
  void add(const std::string& path, const std::vector<std::string>& lines);
  bool has(std::string_view line) const;
  // All lines in the order in which they came, each with its line end.
  std::string lines() const;

 private:
  struct Group {
    std::string id, line, path;
  };
  std::vector<Group> groups_;
};

}  // namespace basesweep
