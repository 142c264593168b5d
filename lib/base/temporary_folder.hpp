// The folder for temporary files.
#pragma once

#include <string>

namespace basesweep {

// $TMPDIR if it is set and not empty, otherwise /tmp. Does not check that the folder exists.
std::string temporary_folder();

}  // namespace basesweep
