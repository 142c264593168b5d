// Tables of matrices (`pwm --table`): made of hits, or of the rows that parts hold.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "lib/matrices/matrix_set.hpp"
#include "lib/parts/part_set.hpp"
#include "lib/pipeline/matrix_hits.hpp"
#include "lib/reader/read_regions.hpp"
#include "lib/rows/matrix_table.hpp"

namespace basesweep {

// A row for each record with bases, in input order. `formatter`: of MatrixTableRows; must outlive the collector.
// `paths`: of the inputs, as messages name them. see_record() throws DataError for a name that a row cannot hold.
std::unique_ptr<HitCollector> collect_table(const MatrixSet& matrices, TableCell cell, std::vector<std::string> paths,
                                            const Formatter& formatter, ByteSink& to);

// The same with a row for each region, in their order: hits that start in it. Holds the table in memory. Names are
// written as they are.
std::unique_ptr<HitCollector> collect_region_table(const MatrixSet& matrices, TableCell cell,
                                                   std::vector<NamedRegion> regions, const Formatter& formatter,
                                                   ByteSink& to);

struct MergedTable {
  std::uint64_t rows = 0;
  bool has_hits = false;
};

// Adds up the tables of all parts and writes the whole. `regions`: rows are of regions, which all parts have. Throws
// IoError and DataError.
MergedTable merge_tables(PartSet& parts, std::size_t matrices, TableCell cell, bool regions, const Formatter& formatter,
                         ByteSink& to);

}  // namespace basesweep
