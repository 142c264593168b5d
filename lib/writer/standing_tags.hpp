// The SAM tags of --report best-per-record.
#pragma once

#include <string>

#include "lib/align/standings.hpp"

namespace basesweep {

// XB:i, the number of hits that are as good, and XN:i, the next best number of edits if there is one. Text begins with
// a tab. Empty when the standing is not known. They are the last tags of a record, so that `merge` can append them.
std::string standing_tags(const Standing& standing, bool binary);

}  // namespace basesweep
