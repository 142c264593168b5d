#include "lib/page/sections.hpp"

namespace basesweep {

std::string show_trim(const RunView&) { return ""; }

}  // namespace basesweep
