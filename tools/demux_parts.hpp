// The contents of the parts of `demux` besides those of all commands that write reads.
#pragma once

#include <string>

#include "lib/demux/sample_sheet.hpp"
#include "lib/parts/part_set.hpp"

namespace basesweep {

struct DemuxQuery {
  SampleSheet sheet;
  SheetBarcodes barcodes;
  std::string read_groups;  // @RG lines of the input, each with its line end
  bool gzip = false;        // files are compressed
};

std::string print_demux(const DemuxQuery& query);
// `own`: what print_demux() made; of `parts`, for messages. Throws DataError.
DemuxQuery parse_demux(const std::string& own, const PartSet& parts);

}  // namespace basesweep
