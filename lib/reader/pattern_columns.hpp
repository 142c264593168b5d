// Finds out which columns of a table hold the patterns' names, sequences and limits.
#pragma once

#include <cstddef>
#include <optional>

#include "lib/reader/pattern_file.hpp"
#include "lib/reader/table_content.hpp"

namespace basesweep {

// The columns to read; indices from 0.
struct PatternColumns {
  std::size_t name = 0;
  std::size_t sequence = 0;
  std::optional<std::size_t> edits, clamp_5prime, clamp_3prime;
  bool header = false;  // the first row names the columns
};

// Finds the columns by the user's choice, else by the names in the header, else by content: the sequence is then the
// only column that holds nothing else, and the name the first of the others. BED has names in column 4 and sequences in
// column 7. Nothing when no column holds sequences. Throws DataError when two columns may be the sequence, and
// UsageError when there is no column of the name or number chosen.
std::optional<PatternColumns> find_columns(const PatternTable& table, const ColumnChoice& choice, Separator separator);

// The column that looks most like the one of the sequences, for messages. Nothing if none does.
std::optional<PatternColumns> likely_columns(const PatternTable& table);

}  // namespace basesweep
