// Pattern tables: lines of columns, with or without a header, and lists of sequences.
#pragma once

#include <string>
#include <string_view>

#include "lib/reader/pattern_file.hpp"
#include "lib/reader/pattern_list.hpp"

namespace basesweep {

// Adds the patterns of a table to the list, and its columns to `rows` unless that is null. Throws as read_patterns().
void read_table(const std::string& path, std::string_view text, const ColumnChoice& choice, PatternList& patterns,
                PatternRows* rows = nullptr);

}  // namespace basesweep
