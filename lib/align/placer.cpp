#include "lib/align/placer.hpp"

#include <algorithm>
#include <utility>

#include "lib/align/read_sites.hpp"

namespace basesweep {
namespace {

constexpr std::uint32_t kMapqPerEdit = 20;
constexpr std::uint32_t kMaxMapq = 60;
// A site with more edits than the best and this gap does not affect mapq.
constexpr std::uint32_t kMapqGap = kMaxMapq / kMapqPerEdit - 1;

bool overlap(const Hit& a, const Hit& b) {
  return a.query == b.query && a.position < b.position + b.length && b.position < a.position + a.length;
}

// `sites`: ordered, best first.
std::uint8_t mapq_of(const std::vector<Hit>& sites) {
  if (sites.empty()) return 0;
  const Hit& best = sites.front();
  if (sites.size() > 1 && sites[1].edits == best.edits) return 0;
  const auto next =
      std::find_if(sites.begin() + 1, sites.end(), [&best](const Hit& hit) { return !overlap(hit, best); });
  if (next == sites.end()) return kMaxMapq;
  return static_cast<std::uint8_t>(std::min<std::uint32_t>(kMaxMapq, kMapqPerEdit * (next->edits - best.edits)));
}

}  // namespace

std::vector<Placement> Placer::place(const ReadBatch& batch, std::uint32_t first, std::uint32_t end,
                                     std::span<const ReadEnd> ends) const {
  std::vector<Placement> placements(end - first);
  ReadSites read_sites(reference_);
  auto next = ends.begin();
  for (std::uint32_t i = first; i < end; ++i) {
    const auto begin = next;
    while (next != ends.end() && end_query(*next) / 2 == i) ++next;
    if (begin == next) continue;
    Placement& placement = placements[i - first];
    // A strand that is not searched allows 0 edits.
    const std::uint32_t edits = std::max(batch.queries[2 * i].edits, batch.queries[2 * i + 1].edits);
    read_sites.start(batch.reads[i], 2 * i, edits, {begin, next});
    std::vector<Hit> sites = report_ == Report::sites ? read_sites.sites() : read_sites.best_sites(kMapqGap);
    placement.mapq = mapq_of(sites);
    if (report_ == Report::best) {
      std::erase_if(
          sites, [lowest = sites.empty() ? 0U : sites.front().edits](const Hit& hit) { return hit.edits != lowest; });
    }
    placement.hits = report_ == Report::all ? read_sites.candidates() : std::move(sites);
  }
  return placements;
}

}  // namespace basesweep
