// The flow graph of `map`: read source -> parse -> finder -> place and format -> writer.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "lib/align/placer.hpp"
#include "lib/finder.hpp"
#include "lib/pipeline/progress.hpp"
#include "lib/reads/read_source.hpp"
#include "lib/reference.hpp"
#include "lib/writer/read_formatter.hpp"

namespace basesweep {

struct MapOptions {
  ReadOptions reads;
  Report report = Report::best;                 // best, sites or all
  std::optional<std::uint64_t> most_secondary;  // printed of a read's alignments besides the primary
  int threads = 1;                              // that work; reading waits on a thread of its own
  std::function<void(const std::string&)> log = [](const std::string&) {};  // told of each read not searched for
  ProgressCounts* progress = nullptr;
};

struct MapSummary {
  std::uint64_t reads = 0;
  std::uint64_t bases = 0;
  std::uint64_t mapped = 0;
  std::uint64_t too_long = 0;  // and so not searched for, see Unsought
  std::uint64_t too_short = 0;
  std::uint64_t no_bases = 0;
  std::uint64_t hits = 0;             // found
  std::uint64_t unprinted_hits = 0;   // of these left out by most_secondary
  std::uint64_t unprinted_reads = 0;  // that this happened to
};

// Maps all reads and hands their records, in the order of the input, to `write` (never called by two threads at
// once). Throws what any stage threw; of errors in the input, the first in input order, after what came before it was
// written. Memory is bounded by the tokens in flight: a batch of reads holds one from reading until it is written.
MapSummary run_map(const MapOptions& options, ReadSource& source, const Reference& reference, Finder& finder,
                   const ReadFormatter& formatter, const std::function<void(std::string_view)>& write);

}  // namespace basesweep
