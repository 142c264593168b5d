// Names for guides whose rows share one, such as that of a gene.
#pragma once

#include <string>
#include <vector>

#include "lib/search/pattern.hpp"

namespace basesweep {

struct GuideNames {
  std::vector<std::string> given;  // of each guide, as it was; empty if no name was changed
  std::vector<bool> repeats{};     // of each guide: see GuideSet::repeats(); empty if none does
};

// Changes names so that each stands for one sequence: a name that several sequences have gets a number for each of
// them, NAME_1, NAME_2 ..., in the order in which they come. A number whose name is in use already is passed over. Rows
// of the same name and sequence keep one name.
GuideNames number_names(std::vector<Pattern>& guides);

}  // namespace basesweep
