#include "lib/base/same_file.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include "lib/base/error.hpp"
#include "lib/base/stream_names.hpp"

namespace basesweep {

bool file_status(const std::string& path, int standard, struct stat& status) {
  return (path == "-" ? fstat(standard, &status) : stat(path.c_str(), &status)) == 0;
}

bool same_place(const struct stat& one, const struct stat& two) {
  return one.st_dev == two.st_dev && one.st_ino == two.st_ino;
}

bool read_and_written(const std::string& read, const std::string& written) {
  struct stat one {};
  struct stat two {};
  return file_status(read, STDIN_FILENO, one) && file_status(written, STDOUT_FILENO, two) && S_ISREG(one.st_mode) &&
         same_place(one, two);
}

void refuse_read_and_written(const std::vector<std::string>& read, const std::string& written) {
  for (const std::string& path : read) {
    if (read_and_written(path, written)) {
      throw UsageError(fmt::format("{}: the same file is input and output", output_name(written)));
    }
  }
}

}  // namespace basesweep
