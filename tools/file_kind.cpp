#include "tools/file_kind.hpp"

#include <fmt/format.h>

#include <exception>

#include "lib/base/error.hpp"
#include "lib/reader/matrix_file.hpp"
#include "lib/reader/pattern_file.hpp"
#include "tools/run_options.hpp"

namespace basesweep {

void refuse_matrices(const std::string& path) {
  if (gives_once(path)) return;
  std::string format;
  try {
    format = to_string(read_matrices(path).front().format);
  } catch (const std::exception&) {
    return;  // the error that is known already says more
  }
  throw DataError(
      fmt::format("{0}: weight matrices (format {1}), not sequences: search for them with 'basesweep pwm -m "
                  "{0}'",
                  path, format));
}

void refuse_patterns(const std::string& path) {
  if (gives_once(path)) return;
  try {
    read_patterns(path);
  } catch (const std::exception&) {
    return;
  }
  throw DataError(
      fmt::format("{0}: sequences, not weight matrices: search for them with 'basesweep motif -f {0}', or "
                  "with 'basesweep match'",
                  path));
}

}  // namespace basesweep
