#include "lib/align/placer.hpp"

#include <algorithm>
#include <tuple>

#include "lib/align/cost.hpp"
#include "lib/align/text_sets.hpp"

namespace basesweep {
namespace {

constexpr std::uint32_t kMapqOfEdit = 20;
constexpr std::uint32_t kMostMapq = 60;
// Sites that are worse than the best by so many edits do not bear on mapq.
constexpr std::uint32_t kGapThatTells = kMostMapq / kMapqOfEdit - 1;

// The columns of a read on strand +; what is not A, C, G, T is in no set.
void read_columns(const Read& read, std::vector<BaseSet>& columns) {
  columns.clear();
  for (const char letter : read.letters) {
    const BaseSet set = iupac_set(letter);
    columns.push_back(is_single_base(set) ? set : BaseSet{0});
  }
}

void reverse_complement(std::vector<BaseSet>& columns) {
  std::reverse(columns.begin(), columns.end());
  for (BaseSet& set : columns) set = complement_set(set);
}

auto order(const Hit& hit) { return std::tuple(hit.edits, hit.column, hit.length, hit.entry); }

std::uint8_t mapq_of(const std::vector<Hit>& sites) {
  if (sites.empty()) return 0;
  const std::uint32_t lowest = sites.front().edits;
  const auto next = std::find_if(sites.begin(), sites.end(), [lowest](const Hit& hit) { return hit.edits != lowest; });
  if (next - sites.begin() > 1) return 0;
  if (next == sites.end()) return kMostMapq;
  return static_cast<std::uint8_t>(std::min(kMostMapq, kMapqOfEdit * (next->edits - lowest)));
}

}  // namespace

// Works on one read after the other, and keeps its memory.
class Placer::Search {
 public:
  explicit Search(const PackedBatch& reference) : reference_(reference) {}

  // `ends`: those of the read, whose first entry is `entry`, `edits` allowed.
  void start(const Read& read, std::uint32_t entry, std::uint32_t edits, std::span<const ReadEnd> ends) {
    first_entry_ = entry;
    edits_ = edits;
    ends_.assign(ends.begin(), ends.end());
    std::stable_sort(ends_.begin(), ends_.end(), [](ReadEnd a, ReadEnd b) { return end_edits(a) < end_edits(b); });
    read_columns(read, columns_);
    strands_made_[0] = strands_made_[1] = false;
  }

  // The sites, in order; of those that have more than `gap` edits above the lowest some may be missing. An end's edits
  // are no more than those of any alignment there (letters that are no base, and record borders, add to them), so ends
  // of more need not be looked at.
  std::vector<Hit> sites(std::uint32_t gap) {
    std::vector<Hit> sites;
    std::uint32_t most = edits_;
    for (const ReadEnd end : ends_) {
      if (end_edits(end) > most) break;
      const std::optional<Hit> site = site_at(end, most);
      if (!site) continue;
      sites.push_back(*site);
      most = std::min(most, site->edits + gap);
    }
    std::sort(sites.begin(), sites.end(), [](const Hit& a, const Hit& b) { return order(a) < order(b); });
    return sites;
  }

  // Every candidate, in order.
  std::vector<Hit> all() {
    std::vector<Hit> hits;
    for (const ReadEnd end : ends_) {
      if (!scan_back(end, edits_)) continue;
      for (std::uint32_t i = 0; i < scan_.costs().size(); ++i) {
        const std::uint32_t length = scan_.least_length() + i;
        if (scan_.costs()[i] != kNoAlignment) hits.push_back(hit_at(end, length, scan_.costs()[i]));
      }
    }
    std::sort(hits.begin(), hits.end(), [](const Hit& a, const Hit& b) { return order(a) < order(b); });
    return hits;
  }

 private:
  struct Sides {
    Entry entry;
    Entry mirror;
    std::uint32_t known_start = 0;  // whose first end is known
    std::uint32_t known_end = 0;    // 0: of none
  };

  static Hit hit_at(ReadEnd end, std::uint32_t length, Cost cost) {
    return {.column = end_column(end) + 1 - length,
            .length = length,
            .entry = end_entry(end),
            .first = 0,
            .edits = static_cast<std::uint16_t>(cost.edits),
            .indels = static_cast<std::uint16_t>(cost.indels)};
  }

  Sides& sides(std::uint32_t entry, std::uint32_t edits) {
    const std::size_t strand = entry - first_entry_;
    Sides& sides = sides_[strand];
    if (!strands_made_[strand]) {
      strands_made_[strand] = true;
      sides.known_end = 0;
      sides.entry.columns = columns_;
      if (strand != 0) reverse_complement(sides.entry.columns);
      sides.mirror.columns.assign(sides.entry.columns.rbegin(), sides.entry.columns.rend());
    }
    for (Entry* side : {&sides.entry, &sides.mirror}) {
      side->limits = {.edits = edits, .mismatches = edits, .indels = edits};
    }
    return sides;
  }

  const Piece* piece_of(std::uint32_t column) const {
    const Piece& piece = reference_.pieces()[reference_.piece_at(column)];
    return column >= piece.column && column < piece.end ? &piece : nullptr;
  }

  // Holds the read against the text that ends with the end's column. False where the column is in no record.
  bool scan_back(ReadEnd end, std::uint32_t edits) {
    const Piece* piece = piece_of(end_column(end));
    if (piece == nullptr) return false;
    const Sides& read = sides(end_entry(end), edits);
    const std::uint32_t stop = end_column(end) + 1;
    const auto reach = static_cast<std::uint32_t>(columns_.size()) + edits;
    read_sets(reference_, stop - std::min(stop - piece->column, reach), stop, text_);
    std::reverse(text_.begin(), text_.end());
    scan_.run(read.mirror, text_);
    return true;
  }

  // The site that ends there, if it has at most `most` edits. Nearly always it has those of the end, and a scan for so
  // few is narrow.
  std::optional<Hit> site_at(ReadEnd end, std::uint32_t most) {
    if (!scan_back(end, end_edits(end))) return std::nullopt;
    CostScan::Best best = scan_.best();
    if (best.cost == kNoAlignment && end_edits(end) < most) {
      scan_back(end, most);
      best = scan_.best();
    }
    if (best.cost == kNoAlignment) return std::nullopt;
    const Hit hit = hit_at(end, best.length, best.cost);
    if (first_end(hit) != end_column(end) + 1) return std::nullopt;
    return hit;
  }

  // The first by rank of the ends of candidates that start where the hit does.
  std::uint32_t first_end(const Hit& hit) {
    Sides& read = sides(hit.entry, hit.edits);
    if (read.known_end != 0 && read.known_start == hit.column) return read.known_end;
    const auto reach = static_cast<std::uint32_t>(columns_.size()) + hit.edits;
    const std::uint32_t left = piece_of(hit.column)->end - hit.column;
    read_sets(reference_, hit.column, hit.column + std::min(reach, left), text_);
    scan_.run(read.entry, text_);
    read.known_start = hit.column;
    return read.known_end = hit.column + scan_.best().length;
  }

  const PackedBatch& reference_;
  std::uint32_t first_entry_ = 0;
  std::uint32_t edits_ = 0;
  std::vector<ReadEnd> ends_;  // by edits
  std::vector<BaseSet> columns_;
  Sides sides_[2];
  bool strands_made_[2] = {};
  CostScan scan_;
  std::vector<BaseSet> text_;
};

std::vector<Placement> Placer::place(const ReadBatch& batch, std::span<const ReadEnd> ends) const {
  std::vector<Placement> placements(batch.reads.size());
  Search search(reference_);
  auto end = ends.begin();
  for (std::uint32_t i = 0; i < batch.reads.size(); ++i) {
    const auto begin = end;
    while (end != ends.end() && end_entry(*end) / 2 == i) ++end;
    if (begin == end) continue;
    // On whichever strand it was searched for.
    const std::uint32_t edits = std::max(batch.entries[2 * i].edits, batch.entries[2 * i + 1].edits);
    search.start(batch.reads[i], 2 * i, edits, {begin, end});
    std::vector<Hit> sites = search.sites(report_ == Report::sites ? edits : kGapThatTells);
    placements[i].mapq = mapq_of(sites);
    if (report_ == Report::best) {
      std::erase_if(
          sites, [lowest = sites.empty() ? 0U : sites.front().edits](const Hit& hit) { return hit.edits != lowest; });
    }
    placements[i].hits = report_ == Report::all ? search.all() : std::move(sites);
  }
  return placements;
}

}  // namespace basesweep
