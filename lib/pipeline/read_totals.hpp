// The totals of commands that write or count reads as bytes, for parts of a run.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "lib/counting/guide_counter.hpp"
#include "lib/demux/demux_totals.hpp"
#include "lib/pipeline/read_pipeline.hpp"
#include "lib/trim/trimmer.hpp"

namespace basesweep {

// `summary`: of the same run; its reads and bases are among the totals.
std::string print_totals(const ReadSummary& summary, const DemuxTotals& totals);
std::string print_totals(const ReadSummary& summary, const TrimCounts& counts);
std::string print_totals(const ReadSummary& summary, const std::vector<SampleCounts>& samples);

// These add the totals of a part to those of the parts before it. They throw DataError for totals that the run cannot
// have; `path`: of the part, for messages.

// `sum`: with all samples and lists. `first`, `second`: how many barcodes there are on each side.
void add_totals(std::string_view bytes, const std::string& path, std::size_t first, std::size_t second,
                ReadSummary& summary, DemuxTotals& sum);
// `sum`: with the counts of all adapters.
void add_totals(std::string_view bytes, const std::string& path, ReadSummary& summary, TrimCounts& sum);
// `sum`: with all samples and their guides.
void add_totals(std::string_view bytes, const std::string& path, ReadSummary& summary, std::vector<SampleCounts>& sum);

}  // namespace basesweep
