// The contents of the parts of `count` besides those of all commands that read reads.
#pragma once

#include <string>
#include <vector>

#include "lib/counting/library.hpp"
#include "lib/parts/part_set.hpp"
#include "lib/report/guide_tables.hpp"

namespace basesweep {

struct CountQuery {
  GuideLibrary library;
  std::vector<std::string> samples;
  std::vector<InputStarts> inputs;
  bool second_mates = false;  // they have the guides of pairs
  bool molecules = false;     // they are counted, and parts have them as rows
};

// Without the paths, which jobs may have in other folders.
std::string print_count(const CountQuery& query);
// `own`: what print_count() made, of `parts`. Throws DataError.
CountQuery parse_count(const std::string& own, const PartSet& parts);

}  // namespace basesweep
