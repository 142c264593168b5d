// The contents of the parts of `demux` besides those of all commands that write reads.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "lib/demux/sample_sheet.hpp"
#include "lib/parts/part_set.hpp"
#include "tools/demux_structure.hpp"

namespace basesweep {

struct DemuxQuery {
  SampleSheet sheet;
  SheetBarcodes barcodes;
  std::string read_groups;                     // @RG lines of the input, each with its line end
  bool gzip = false;                           // files are compressed
  std::optional<StructureQuery> structures{};  // of the reads, if they have any
};

std::string print_demux(const DemuxQuery& query);
// `own`: what print_demux() made; of `parts`, for messages. `lists`: of cell barcodes, how many the run had. Throws
// DataError.
DemuxQuery parse_demux(const std::string& own, const PartSet& parts, std::size_t lists);

}  // namespace basesweep
