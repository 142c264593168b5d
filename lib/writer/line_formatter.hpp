// Formats rows as lines of text: BED, GFF3, FASTA, tables, and the tables of other programs.
#pragma once

#include <memory>
#include <string>

#include "lib/base/circular_records.hpp"
#include "lib/rows/hit_rows.hpp"
#include "lib/rows/rows.hpp"
#include "lib/writer/formatter.hpp"

namespace basesweep {

class PatternSet;  // lib/search/pattern_set.hpp

// How a table is printed.
struct TableForm {
  OutputFormat format = OutputFormat::tsv;
  ShownColumns columns{};
};

struct LineOptions {
  ShownColumns columns{};      // of a table; those that are added come into other formats too
  CircularRecords circular{};  // GFF3 lists them
};

// A format whose lines are columns of a row with text between. Rows::shape() defines the line of BED, GFF3, FASTA and
// tables of other programs; tables have the columns that are chosen, and their LineForm.
//
// In a shape, {name} is replaced by the value of a column ("." if it is absent), {start+1} by the start counted from 1,
// {name:lower} by a value in lower case, and {+} by the columns that are added. Text in brackets is left out if a
// column in it is absent. Throws UsageError as choose_columns() does.
std::unique_ptr<Formatter> make_line_formatter(std::shared_ptr<const Rows> rows, OutputFormat format,
                                               const LineOptions& options = {});

// The same for hits. `patterns` must outlive the formatter.
std::unique_ptr<Formatter> make_hit_formatter(const PatternSet& patterns, OutputFormat format, HitRowOptions rows = {},
                                              const LineOptions& options = {});

}  // namespace basesweep
