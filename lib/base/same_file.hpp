// Whether paths name the same file.
#pragma once

#include <sys/stat.h>

#include <string>
#include <vector>

namespace basesweep {

// `standard`: the descriptor that "-" stands for. Returns whether there is such a file.
bool file_status(const std::string& path, int standard, struct stat& status);
bool same_place(const struct stat& one, const struct stat& two);
// Whether both paths name the same regular file. "-" is stdin for `read` and stdout for `written`.
bool read_and_written(const std::string& read, const std::string& written);
// Throws UsageError if a file that is read would be written.
void refuse_read_and_written(const std::vector<std::string>& read, const std::string& written);

}  // namespace basesweep
