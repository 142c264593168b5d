// What `demux` adds up over a run, and its table of reads.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lib/base/histogram.hpp"
#include "lib/demux/barcode_caller.hpp"
#include "lib/reads/read_processor.hpp"
#include "lib/structure/cell_lists.hpp"

namespace basesweep {

// The columns of the table of reads. A mate has a row of its own.
inline constexpr std::string_view kDemuxTableHeader =
    "read\tsample\tedits\tsecond\tstrand\tcut_start\tcut_end\treason\n";
// Adds the row of a read, or of mate 0 or 1 of a pair. `sample`: its name; "": it is of none.
void append_demux_row(const InputRead& read, std::string_view sample, const SampleCall& call, std::size_t mate,
                      std::string& rows);

// The calls of a list of reads, which are few bytes each, since most lists reach few of thousands of samples.
class DemuxCalls {
 public:
  void reserve(std::size_t calls) { calls_.reserve(calls); }
  // `reads`: the read, or both mates. `written`: the same as they are written.
  void add(const SampleCall& call, std::span<const InputRead> reads, std::span<const WrittenRead> written);

 private:
  friend struct DemuxTotals;
  struct Call {
    std::uint32_t sample;
    std::uint32_t edits;
    std::uint32_t reads;
    std::uint32_t written;
    NoSample reason;
    std::uint64_t bases;
    SampleBarcodes pair;
  };
  std::vector<Call> calls_;
  Histogram lengths_before_;
  Histogram lengths_after_;
};

// Totals of a run. Mates are counted one by one.
struct DemuxTotals {
  struct Sample {
    std::uint64_t reads = 0;    // of the input
    std::uint64_t written = 0;  // without mates that have no insert; all reads of no sample count
    std::uint64_t bases = 0;    // as they are written
    std::uint64_t edits = 0;    // the sum of those of all reads; a pair has its edits in both mates
  };
  std::vector<Sample> samples;  // of the sheet, then the reads of none
  std::array<std::uint64_t, kNoSampleReasons> reasons{};
  // Reads with a pair of barcodes that no sample has, by the numbers of both.
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint64_t> pairs;
  std::vector<std::uint64_t> edits;  // reads of a sample with 0, 1, 2 ... edits
  Histogram lengths_before;          // of reads
  Histogram lengths_after;           // as they are written
  // Of each list of cell barcodes: the reads, or pairs, that fit a layout and, with a sheet, are of a sample.
  std::vector<FitCounts> fits;

  void add(const DemuxCalls& calls);
  std::uint64_t assigned() const { return reasons[static_cast<std::size_t>(NoSample::assigned)]; }
};

}  // namespace basesweep
