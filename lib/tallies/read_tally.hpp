// What plots show of the reads of `map`.
#pragma once

#include <tbb/enumerable_thread_specific.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lib/base/histogram.hpp"
#include "lib/reads/read_batch.hpp"
#include "lib/reads/reference.hpp"
#include "lib/search/hit.hpp"
#include "lib/tallies/record_density.hpp"

namespace basesweep {

// Counts of primary alignments; `lengths` counts all reads.
struct MappedReads {
  static constexpr std::size_t kIdentities = 1001;  // tenths of a percent

  std::vector<std::uint64_t> edits{};            // reads with 0, 1, 2 ... edits
  std::vector<std::uint64_t> identity{};         // reads by the share of their bases without an edit, rounded down
  std::vector<std::uint64_t> mapq{};             // reads by mapping quality
  Histogram lengths{};                           // of all reads
  Histogram inserts{};                           // of pairs on one record and opposite strands, from end to end
  std::map<std::int64_t, PositionBins> along{};  // bases of the reference that are aligned to, in the longest records

  void add(const MappedReads& other);
};

// As bytes, for parts of a run; add_mapped() returns false for bytes that print_mapped() cannot have made.
std::string print_mapped(const MappedReads& reads);
bool add_mapped(std::string_view bytes, std::size_t records, MappedReads& sum);

class ReadTally {
 public:
  // `reference` must outlive this.
  explicit ReadTally(const Reference& reference);

  // `primary`: its alignment; null: it is unmapped. Thread-safe, as the next.
  void count(const Read& read, const Hit* primary, std::uint8_t mapq);
  void count_pair(const Read& first, const Hit& of_first, const Read& second, const Hit& of_second);

  const LongestRecords& longest() const { return longest_; }
  // Of all threads, when all reads have come.
  MappedReads reads();

 private:
  struct Own {
    MappedReads reads;
    RecordDensity density;
  };

  const Reference& reference_;
  LongestRecords longest_;
  tbb::enumerable_thread_specific<Own> own_;
};

}  // namespace basesweep
