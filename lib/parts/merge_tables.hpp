// Tables of matrices (`pwm --table`) in the outputs of chunks, and how `merge` adds them up.
//
// A part has the rows of the records that its chunk has some of, with their numbers, or the rows of all regions. Its
// cells are those of MatrixRow::print_part(), and its end says how many rows it has.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "lib/parts/part_file.hpp"
#include "lib/writer/matrix_row.hpp"

namespace basesweep {

// The columns before those of the matrices.
inline const std::string kRecordColumns = "record";
inline const std::string kRecordColumnsOfPart = "record\tnumber";  // the record's number, among those with bases
inline const std::string kRegionColumns = "record\tstart\tend\tname";

struct MergedTable {
  std::uint64_t rows = 0;
  bool has_hits = false;
};

// Calls `write` with the table that one run would have written. `parts`: after check_parts(). Throws IoError, and
// DataError for a part that is not complete or damaged.
MergedTable merge_tables(std::span<const PartHead> parts, const std::function<void(std::string_view)>& write);

}  // namespace basesweep
