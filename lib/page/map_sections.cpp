#include "lib/page/sections.hpp"

namespace basesweep {

std::string show_mapping(const RunView&) { return ""; }

}  // namespace basesweep
