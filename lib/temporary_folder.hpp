// Where temporary files go.
#pragma once

#include <string>

namespace basesweep {

// $TMPDIR where it is set and not empty, else /tmp. Whether there is such a folder shows when it is used.
std::string temporary_folder();

}  // namespace basesweep
