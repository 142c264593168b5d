// Which records of the input are circular.
#pragma once

#include <functional>
#include <set>
#include <string>
#include <string_view>

namespace basesweep {

// The text of a circular record is the record repeated without end in both directions. Its hits start in the record
// and are not longer than it; their end may exceed its length.
struct CircularRecords {
  bool all = false;
  std::set<std::string, std::less<>> names{};  // of those that are, besides `all`

  bool any() const { return all || !names.empty(); }
  bool contains(std::string_view name) const { return all || names.find(name) != names.end(); }
};

}  // namespace basesweep
