// The flow graph of `map`: read source -> parse -> finder -> place and format -> writer.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "lib/align/placer.hpp"
#include "lib/pipeline/text_run.hpp"
#include "lib/reads/read_source.hpp"
#include "lib/reads/reference.hpp"
#include "lib/search/finder.hpp"
#include "lib/tallies/read_tally.hpp"
#include "lib/writer/read_formatter.hpp"

namespace basesweep {

struct MapOptions {
  ReadOptions reads;
  Report report = Report::best;                // best, sites or all
  std::optional<std::uint64_t> max_secondary;  // alignments of a read to print besides the primary; nothing: all
  int threads = 1;                             // workers; the calling thread, which reads, is one more
  std::function<void(const std::string&)> log = [](const std::string&) {};  // a line for each read not searched for
  ProgressCounts* progress = nullptr;  // written while the pipeline runs; may be null
  ReadTally* tally = nullptr;          // counts the reads for plots; may be null
};

// `hits`: those left out included.
struct MapSummary : TextSummary {
  std::uint64_t reads = 0;
  std::uint64_t bases = 0;          // of all reads
  std::uint64_t other_letters = 0;  // among them that are not A, C, G, T, U or N
  std::uint64_t mapped = 0;         // reads with a hit
  std::uint64_t too_long = 0;       // reads not searched for, see Skipped
  std::uint64_t too_short = 0;
  std::uint64_t no_bases = 0;
  std::uint64_t unprinted_hits = 0;   // left out because of max_secondary
  std::uint64_t unprinted_reads = 0;  // reads that have such hits
};

// Maps all reads and hands what the printer makes of them, in the order of the input, to `write`, which is never called
// by two threads at once, and gets blocks one by one. Throws what any stage threw; of errors in the input, the first in
// input order, after all that comes before it was written. Tokens bound the memory (lib/pipeline/stream.hpp): a batch
// of reads holds one from reading until it is written.
MapSummary run_map(const MapOptions& options, RawReadSource& source, const Reference& reference, Finder& finder,
                   const ReadPrinter& printer, const std::function<void(std::string_view)>& write);

}  // namespace basesweep
