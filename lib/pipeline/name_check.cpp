#include "lib/pipeline/name_check.hpp"

#include <fmt/format.h>

#include "lib/base/error.hpp"
#include "lib/search/packed_batch.hpp"

namespace basesweep {

void NameCheck::check(std::int64_t number, std::string_view name, std::uint32_t source) {
  if (rule_ == NameRule::any || number == last_) return;
  last_ = number;
  if (name.empty()) {
    throw DataError(fmt::format("{}: a record with hits has no name: its title line needs a word after '>' or '@'",
                                paths_[source]));
  }
  if (const std::string fault = name_fault(name, rule_); !fault.empty()) {
    throw DataError(fmt::format("{}: record '{}': {}", paths_[source], name, fault));
  }
}

void NameCheck::check(const PackedBatch& batch, std::span<const Hit> hits) {
  if (rule_ == NameRule::any || hits.empty()) return;
  const std::vector<Segment>& segments = batch.segments();
  std::size_t segment = batch.segment_at(hits.front().position);
  for (const Hit& hit : hits) {
    while (segment + 1 < segments.size() && segments[segment + 1].position <= hit.position) ++segment;
    const Segment& own = segments[segment];
    check(own.reference, batch.name(own), own.source);
  }
}

}  // namespace basesweep
