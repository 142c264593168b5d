// Puts files and their names on the disk, where a power cut does not take them away.
#pragma once

#include <string>

namespace basesweep {

// Puts the content of a file on the disk. `shown`: the path as messages show it. Throws IoError.
void sync_file(const std::string& path, const std::string& shown);
// The same for an open file.
void sync_descriptor(int descriptor, const std::string& shown);
// Puts the names in the folder of a file on the disk: those that were given, and those that were taken away. A folder
// that may not be read cannot be opened for this; its names get to the disk later. Throws IoError.
void sync_folder_of(const std::string& path, const std::string& shown);

}  // namespace basesweep
