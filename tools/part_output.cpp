#include "tools/part_output.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "lib/base/error.hpp"

namespace basesweep {

void check_part_name(const std::string& path) {
  bool fits = !ends_in_gz(path);
  try {
    format_of_name(path, std::array{OutputFormat::part}, false);
  } catch (const UsageError&) {
    fits = false;
  }
  if (fits) return;
  throw UsageError(
      fmt::format("{}: a chunk is written as a part, which 'basesweep merge' reads: name the file .bsp; the format is "
                  "chosen by the name that merge writes to, or by --format",
                  path));
}

std::optional<std::vector<RecordInfo>> part_records(const std::optional<Chunk>& chunk) {
  if (!chunk || chunk->plan.unit == PlanUnit::records) return std::nullopt;
  return chunk->plan.records();
}

Summaries::Summaries(const PartSet& parts) {
  const std::uint32_t chunks = parts.head().label.chunks;
  for (std::size_t i = 0; i < parts.summaries().size(); ++i) {
    const std::string& path = parts.paths()[i];
    all_.push_back(parse_summary(parts.summaries()[i], path));
    chunks_.push_back(fmt::format("{}/{}", i + 1, chunks));
    if (!all_.back().counts) continue;
    if (!counts_) counts_.emplace();
    add_counts(all_.back(), path, *counts_);
  }
  if (all_.size() != chunks) throw DataError("a part is damaged: it has no summary");
}

bool Summaries::truncated() const {
  return std::any_of(all_.begin(), all_.end(), [](const ChunkSummary& summary) { return summary.truncated; });
}

std::string Summaries::report(const std::string& whole) const {
  std::vector<ChunkReport> reports;
  for (std::size_t i = 0; i < all_.size(); ++i) reports.push_back({chunks_[i], all_[i].report});
  return merge_reports(whole, reports);
}

}  // namespace basesweep
