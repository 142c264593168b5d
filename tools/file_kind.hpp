// Files of patterns given where files of matrices are expected, and the other way round.
#pragma once

#include <string>

#include "lib/base/error.hpp"

namespace basesweep {

// For a file in which no patterns or pairs were found: throws DataError that names the command which takes it, if it is
// a file of weight matrices.
void refuse_matrices(const std::string& path);
// The same for a file in which no matrices were found, if it holds sequences.
void refuse_patterns(const std::string& path);

// Calls `read`, which reads the patterns or pairs of the file.
template <class Read>
auto read_sequences(const std::string& path, Read read) {
  try {
    return read();
  } catch (const DataError&) {
    refuse_matrices(path);
    throw;
  }
}

}  // namespace basesweep
