// Which records of the input are circular.
#pragma once

#include <fmt/format.h>

#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "lib/base/error.hpp"

namespace basesweep {

// The text of a circular record is the record repeated without end in both directions. Its hits start in the record
// and are not longer than it; their end may exceed its length.
struct CircularRecords {
  bool all = false;
  std::set<std::string, std::less<>> names{};  // of those that are, besides `all`

  bool any() const { return all || !names.empty(); }
  bool contains(std::string_view name) const { return all || names.find(name) != names.end(); }
};

// The error for a record that is named as circular and did not come. `inputs`: their names, as messages have them.
inline DataError absent_circular_record(const std::vector<std::string>& inputs, std::string_view name) {
  return DataError(fmt::format("{}: no record '{}' with bases, but it is named as circular",
                               inputs.size() == 1 ? inputs.front() : "the input", name));
}

}  // namespace basesweep
