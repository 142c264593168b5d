#include "tools/search_scope.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "lib/base/error.hpp"
#include "lib/base/stream_names.hpp"
#include "lib/pipeline/batching.hpp"
#include "tools/pair_search.hpp"

namespace basesweep {
namespace {

// Finds the scope without what depends on circular records.
Scope find_scope_of(const SearchJobOptions& o, const PatternSet& patterns, Report report) {
  if (o.reads_pairs()) return scope_of_pairs(o);
  Scope scope;
  if (o.regions.any()) refuse_regions(o.inputs);
  scope.chunk = find_chunk(o.chunk, o.inputs, o.regions, false, worker_threads(o), o.alignments.reading, warner(o));
  if (!scope.chunk && !o.regions.any()) return scope;
  const auto indices = find_indices(o.inputs, o.regions);
  scope.has_indices = indices.has_value();
  if (indices) scope.records = records_of(*indices);
  if (!scope.chunk) {
    scope.regions = read_regions(o.regions);
    if (scope.regions && indices) check_regions(*scope.regions, *scope.records, name_of_all(o.inputs));
  } else if (scope.chunk->plan.unit == PlanUnit::records) {
    scope.reads = scope.chunk->plan.range_of(scope.chunk->number);
  } else {
    const std::vector<RecordInfo> planned = scope.chunk->plan.records();
    if (scope.records && *scope.records != planned) {
      throw DataError("the records of the plan are not those of the input's index");
    }
    scope.records = planned;
    scope.regions = scope.chunk->plan.regions_of(scope.chunk->number);
  }
  if (!scope.regions) return scope;
  if (o.whole_text) {
    scope.bases = 0;
    for (const RecordInfo& record : *scope.records) *scope.bases += record.length;
    scope.chosen = std::exchange(scope.regions, std::nullopt);
    return scope;
  }
  if (indices) {
    const Halos beside = halos(patterns, report, o.flank, o.reach);
    scope.windows = windows_in(o.inputs, *indices, *scope.regions, beside.left, beside.right, o.circular);
  }
  if (scope.windows.empty()) advise_index(o.inputs, warner(o));
  if (scope.records) scope.bases = bases_in(*scope.regions, *scope.records);
  return scope;
}

// Throws DataError when a record that is named as circular is not among the records of the input.
void check_circular(const SearchJobOptions& o, const std::vector<RecordInfo>& records) {
  for (const std::string& name : o.circular.names) {
    const auto found =
        std::find_if(records.begin(), records.end(), [&](const auto& record) { return record.name == name; });
    if (found == records.end()) {
      throw absent_circular_record(input_names(o.inputs), name);
    }
  }
}

}  // namespace

std::int64_t bases_in(const RegionSet& regions, const std::vector<RecordInfo>& records) {
  std::int64_t bases = 0;
  for (std::size_t i = 0; i < records.size(); ++i) {
    for (const Region& region : regions.of(static_cast<std::int64_t>(i), records[i].name)) {
      bases += std::min(region.end, records[i].length) - region.begin;
    }
  }
  return bases;
}

Scope find_scope(const SearchJobOptions& o, const PatternSet& patterns, Report report) {
  Scope scope = find_scope_of(o, patterns, report);
  if (scope.reads && !o.circular.names.empty()) {
    throw UsageError("--circular NAME: a chunk of FASTQ does not know the records of other chunks: use --circular");
  }
  if (scope.records) check_circular(o, *scope.records);
  scope.circular_known = scope.records.has_value();
  return scope;
}

void check_unit(const Scope& scope, FileSource& reader) {
  if (!scope.chunk || !reader.format()) return;
  const bool fastq = reader.format() == Format::fastq;
  if (fastq == scope.reads.has_value()) return;
  throw UsageError(fmt::format("the plan cuts at {}, but the input is {}", fastq ? "bases" : "records",
                               fastq ? "FASTQ, which is cut at records" : "FASTA or .2bit, which is cut at bases"));
}

}  // namespace basesweep
