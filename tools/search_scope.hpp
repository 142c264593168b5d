// The part of the input that a search covers: all of it, regions, or a chunk of a plan.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "lib/reader/reader.hpp"
#include "tools/search_options.hpp"

namespace basesweep {

class PatternSet;  // lib/search/pattern_set.hpp

// The part of the input that is searched.
struct Scope {
  std::optional<RegionSet> regions;                  // nothing: the whole input
  std::optional<RegionSet> chosen{};                 // of a chunk that searches the whole input: its regions
  std::optional<RecordRange> reads;                  // records of FASTQ
  std::vector<FastaWindows> windows;                 // windows of the inputs to read; empty: all of them
  std::optional<std::vector<RecordInfo>> records{};  // all records with bases, if known beforehand
  bool has_indices = false;                          // each input has one
  std::optional<Chunk> chunk;
  std::optional<std::int64_t> bases;  // in the regions, if known beforehand
  std::optional<bool> indexed{};      // of parts: whether each input had an index
  bool circular_known = false;        // records that --circular names are in the input
};

// Finds the scope from the options, the inputs' indices and the patterns' lengths. Warns if an index would save time.
Scope find_scope(const SearchJobOptions& options, const PatternSet& patterns, Report report);

// The bases that the regions have in the records.
std::int64_t bases_in(const RegionSet& regions, const std::vector<RecordInfo>& records);

// Throws UsageError if the plan cuts at bases and the input at records, or the other way round.
void check_unit(const Scope& scope, FileSource& reader);

}  // namespace basesweep
