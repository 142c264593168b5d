// Pattern files in the flat-file formats of GenBank and EMBL.
#pragma once

#include <string_view>

#include "lib/reader/pattern_list.hpp"

namespace basesweep {

// The words with which lines of a format begin.
struct FlatFormat {
  std::string_view record;    // the first line of a record, which names it
  std::string_view sequence;  // the line before the sequence
};
inline constexpr FlatFormat kGenBank{"LOCUS", "ORIGIN"};
inline constexpr FlatFormat kEmbl{"ID", "SQ"};

// Reads names and sequences. The numbers beside the sequence are passed over. `patterns` counts lines. Throws
// DataError.
void read_flat_file(std::string_view text, const FlatFormat& format, PatternList& patterns);

}  // namespace basesweep
