#include "lib/align/resolver.hpp"

#include <algorithm>
#include <tuple>

#include "lib/align/cost.hpp"
#include "lib/align/text_sets.hpp"

namespace basesweep {
namespace {

auto place(const Hit& hit) { return std::tuple(hit.column, hit.length); }

Cost cost_of(const Hit& hit) { return {hit.edits, hit.indels}; }

Hit make_hit_of(std::uint32_t column, std::uint32_t length, std::uint32_t entry, Cost cost) {
  return {.column = column,
          .length = length,
          .entry = entry,
          .first = 0,
          .edits = static_cast<std::uint16_t>(cost.edits),
          .indels = static_cast<std::uint16_t>(cost.indels)};
}

}  // namespace

// An interval is m - indels to m + indels long. One that starts in the batch's own columns reaches m + indels - 1 past
// them. Those with the same end start at most 2 indels <= m + indels - 1 before it. What overlaps a site starts at most
// m + indels - 1 before or after it, and must in turn be seen with all that share its start or end.
std::uint32_t halo_columns(const PatternSet& patterns, Report report) {
  std::uint32_t reach = 0;
  for (const Entry& entry : patterns.entries()) {
    reach = std::max(reach, static_cast<std::uint32_t>(entry.columns.size()) + entry.limits.indels - 1);
  }
  return report == Report::minima ? 2 * reach : reach;
}

// One batch.
class Resolver::Search {
 public:
  Search(const Resolver& resolver, const PackedBatch& batch)
      : resolver_(resolver),
        batch_(batch),
        view_(batch.view()),
        first_ends_(resolver.report_ == Report::all ? 0 : resolver.mirrored_.size()) {}

  // The hits among the candidates that end with `last`, a column of the piece.
  void add_end(const Piece& piece, std::uint32_t last, std::uint32_t entry) {
    const Entry& e = resolver_.patterns_.entries()[entry];
    const auto length = static_cast<std::uint32_t>(e.columns.size());
    const std::uint32_t end = last + 1;
    const std::uint32_t begin = end - std::min(end - piece.column, length + e.limits.indels);
    read_sets(batch_, begin, end, text_);
    std::reverse(text_.begin(), text_.end());
    scan_.run(resolver_.mirrored_[entry], text_);
    if (resolver_.report_ == Report::all) return add_all(end, entry);
    const auto [best_length, cost] = scan_.best();
    if (cost == kNoAlignment) return;
    const std::uint32_t start = end - best_length;
    if (resolver_.report_ != Report::minima && !owned(start)) return;
    if (first_end(piece, start, entry) == end) hits.push_back(make_hit_of(start, best_length, entry, cost));
  }

  bool owned(std::uint32_t column) const { return column >= view_.own_begin && column < view_.own_end; }

  std::vector<Hit> hits;

 private:
  void add_all(std::uint32_t end, std::uint32_t entry) {
    for (std::uint32_t i = 0; i < scan_.costs().size(); ++i) {
      const Cost cost = scan_.costs()[i];
      const std::uint32_t length = scan_.least_length() + i;
      if (cost != kNoAlignment && owned(end - length)) hits.push_back(make_hit_of(end - length, length, entry, cost));
    }
  }

  // The first by rank of the ends of candidates with this start. Ends come in clusters that share their best start, so
  // the last answer for each entry is kept.
  std::uint32_t first_end(const Piece& piece, std::uint32_t start, std::uint32_t entry) {
    auto& [known_start, known_end] = first_ends_[entry];
    if (known_end != 0 && known_start == start) return known_end;
    const Entry& e = resolver_.patterns_.entries()[entry];
    known_start = start;
    if (e.limits.indels == 0) return known_end = start + static_cast<std::uint32_t>(e.columns.size());
    const std::uint32_t reach = static_cast<std::uint32_t>(e.columns.size()) + e.limits.indels;
    read_sets(batch_, start, start + std::min(reach, piece.end - start), text_);
    scan_.run(e, text_);
    return known_end = start + scan_.best().length;
  }

  const Resolver& resolver_;
  const PackedBatch& batch_;
  PackedView view_;
  CostScan scan_;
  std::vector<BaseSet> text_;
  struct FirstEnd {
    std::uint32_t start = 0;
    std::uint32_t end = 0;  // 0: not known
  };
  std::vector<FirstEnd> first_ends_;
};

Resolver::Resolver(const PatternSet& patterns, Report report, bool skip_soft_masked)
    : patterns_(patterns), report_(report), skip_soft_masked_(skip_soft_masked) {
  for (const Entry& entry : patterns.entries()) mirrored_.push_back(mirrored(entry));
}

std::vector<Hit> Resolver::resolve(const PackedBatch& batch, std::span<const BatchHit> ends) const {
  if (ends.empty()) return {};
  Search search(*this, batch);
  auto piece = batch.pieces().begin();
  for (const BatchHit end : ends) {
    while (piece != batch.pieces().end() && piece->end <= hit_column(end)) ++piece;
    if (piece == batch.pieces().end()) break;
    if (piece->column <= hit_column(end)) search.add_end(*piece, hit_column(end), hit_entry(end));
  }
  std::vector<Hit> hits = std::move(search.hits);
  if (report_ == Report::minima) keep_minima(hits);
  std::erase_if(hits, [&](const Hit& hit) {
    return !search.owned(hit.column) ||
           (skip_soft_masked_ && batch.touches_soft_masked(hit.column, hit.column + hit.length));
  });
  sort(hits);
  return hits;
}

void Resolver::keep_minima(std::vector<Hit>& sites) const {
  std::sort(sites.begin(), sites.end(),
            [](const Hit& a, const Hit& b) { return std::tuple(a.entry, place(a)) < std::tuple(b.entry, place(b)); });
  std::vector<Hit> minima;
  for (auto site = sites.begin(); site != sites.end(); ++site) {
    const Entry& entry = patterns_.entries()[site->entry];
    const std::uint32_t longest = static_cast<std::uint32_t>(entry.columns.size()) + entry.limits.indels;
    const std::uint32_t end = site->column + site->length;
    const auto beats = [&](const Hit& other) {
      return other.column < end && other.column + other.length > site->column && cost_of(other) < cost_of(*site);
    };
    bool beaten = false;
    for (auto other = site; !beaten && other != sites.begin();) {
      --other;
      if (other->entry != site->entry || other->column + longest <= site->column) break;
      beaten = beats(*other);
    }
    for (auto other = site + 1; !beaten && other != sites.end(); ++other) {
      if (other->entry != site->entry || other->column >= end) break;
      beaten = beats(*other);
    }
    if (!beaten) minima.push_back(*site);
  }
  sites = std::move(minima);
}

void Resolver::sort(std::vector<Hit>& hits) const {
  std::sort(hits.begin(), hits.end(), [&](const Hit& a, const Hit& b) {
    const auto key = [&](const Hit& hit) {
      const Entry& entry = patterns_.entries()[hit.entry];
      return std::tuple(hit.column, hit.length, entry.strand, entry.pattern);
    };
    return key(a) < key(b);
  });
  hits.erase(std::unique(hits.begin(), hits.end()), hits.end());
}

}  // namespace basesweep
