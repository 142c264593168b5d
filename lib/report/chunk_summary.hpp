// The end of a part, about its whole chunk: the report, and counts that cannot be made from the rows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lib/pipeline/hit_selector.hpp"

namespace basesweep {

struct ChunkSummary {
  std::string report;      // of the chunk, as JSON
  bool truncated = false;  // there were more rows than --max-hits or --max-products
  // The hits of each query, where the chunk only counted them and the part has no rows.
  std::optional<std::vector<std::uint64_t>> counts{};
  FineCounts fine{};
};

std::string print_summary(const ChunkSummary& summary);
// Throws DataError; `path`: of the part, for messages.
ChunkSummary parse_summary(std::string_view text, const std::string& path);

// How many counts a run has.
struct CountShape {
  std::size_t queries;
  std::size_t inputs;
  std::uint32_t max_edits;
};
// Adds up counts. Throws DataError for those that this run, or a chunk of it, cannot have.
void add_counts(const ChunkSummary& more, const std::string& path, const CountShape& shape, ChunkSummary& sum);

}  // namespace basesweep
