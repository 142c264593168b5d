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

void reverse_complement(std::vector<BaseSet>& columns) {
  std::reverse(columns.begin(), columns.end());
  for (BaseSet& set : columns) set = complement_set(set);
}

auto order(const Hit& hit) { return std::tuple(hit.edits, hit.column, hit.length, hit.entry); }

bool overlap(const Hit& a, const Hit& b) {
  return a.entry == b.entry && a.column < b.column + b.length && b.column < a.column + a.length;
}

// `sites`: in order.
std::uint8_t mapq_of(const std::vector<Hit>& sites) {
  if (sites.empty()) return 0;
  const Hit& best = sites.front();
  if (sites.size() > 1 && sites[1].edits == best.edits) return 0;
  const auto next =
      std::find_if(sites.begin() + 1, sites.end(), [&best](const Hit& hit) { return !overlap(hit, best); });
  if (next == sites.end()) return kMostMapq;
  return static_cast<std::uint8_t>(std::min<std::uint32_t>(kMostMapq, kMapqOfEdit * (next->edits - best.edits)));
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
    by_column_ = ends;
    ends_.assign(ends.begin(), ends.end());
    std::stable_sort(ends_.begin(), ends_.end(), [](ReadEnd a, ReadEnd b) { return end_edits(a) < end_edits(b); });
    columns_.resize(read.letters.size());
    std::transform(read.letters.begin(), read.letters.end(), columns_.begin(), base_set);
    strands_made_[0] = strands_made_[1] = false;
  }

  // All sites, in order.
  std::vector<Hit> sites() {
    std::vector<Hit> sites;
    for (const ReadEnd end : ends_) {
      if (const std::optional<Hit> site = site_at(end, edits_)) sites.push_back(*site);
    }
    put_in_order(sites);
    return sites;
  }

  // Those of lowest edits, and of the others those that bear on mapq, in order. An end's edits are no more than those
  // of any alignment there (letters that are no base, and record borders, add to them), so ends of more edits need not
  // be looked at.
  std::vector<Hit> best_sites() {
    std::vector<Hit> sites;
    std::optional<Hit> best;
    bool tied = false;
    std::uint32_t most = edits_;
    for (const ReadEnd end : ends_) {
      if (end_edits(end) > most) break;
      if (best && end_edits(end) > best->edits) {  // so that it can but bear on mapq
        if (tied) break;
        if (must_overlap(end, most, *best)) continue;
      }
      const std::optional<Hit> site = site_at(end, most);
      if (!site) continue;
      sites.push_back(*site);
      tied = best && (site->edits == best->edits || (tied && site->edits > best->edits));
      if (!best || site->edits < best->edits) best = site;
      most = std::min(most, best->edits + kGapThatTells);
    }
    put_in_order(sites);
    return sites;
  }

  // Every candidate, in order.
  std::vector<Hit> all() {
    std::vector<Hit> hits;
    for (const ReadEnd end : ends_) {
      if (!scan_back(end, edits_)) continue;
      for (std::uint32_t i = 0; i < scan_.costs().size(); ++i) {
        const std::uint32_t length = scan_.least_length() + i;
        if (scan_.costs()[i] == kNoAlignment) continue;
        const Hit hit = hit_at(end, length, scan_.costs()[i]);
        if (is_asked(hit)) hits.push_back(hit);
      }
    }
    put_in_order(hits);
    return hits;
  }

 private:
  struct Sides {
    Entry entry;
    Entry mirror;
    std::uint32_t known_start = 0;  // whose first end is known
    std::uint32_t known_end = 0;    // 0: of none
  };

  static void put_in_order(std::vector<Hit>& hits) {
    std::sort(hits.begin(), hits.end(), [](const Hit& a, const Hit& b) { return order(a) < order(b); });
  }

  // Whether all alignments of at most `most` edits that end there overlap the hit on its strand.
  bool must_overlap(ReadEnd end, std::uint32_t most, const Hit& hit) const {
    const std::uint64_t stop = std::uint64_t{end_column(end)} + 1;
    return end_entry(end) == hit.entry && stop > hit.column &&
           stop + most < std::uint64_t{hit.column} + hit.length + columns_.size();
  }

  static Hit hit_at(ReadEnd end, std::uint32_t length, Cost cost) {
    return {.column = end_column(end) + 1 - length,
            .length = length,
            .entry = end_entry(end),
            .first = 0,
            .edits = static_cast<std::uint16_t>(cost.edits),
            .indels = static_cast<std::uint16_t>(cost.indels)};
  }

  // Whether it starts where hits count.
  bool is_asked(const Hit& hit) const {
    if (!reference_.asked()) return true;
    const auto after = std::partition_point(reference_.asked()->begin(), reference_.asked()->end(),
                                            [&hit](const Interval& asked) { return asked.end <= hit.column; });
    return after != reference_.asked()->end() && after->begin <= hit.column;
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

  // Reads, backwards, the text that ends with the end's column, as much as so many edits may use. False where the
  // column is in no record.
  bool read_back(ReadEnd end, std::uint32_t edits) {
    const Piece* piece = piece_of(end_column(end));
    if (piece == nullptr) return false;
    const std::uint32_t stop = end_column(end) + 1;
    const auto reach = static_cast<std::uint32_t>(columns_.size()) + edits;
    read_sets(reference_, stop - std::min(stop - piece->column, reach), stop, text_);
    std::reverse(text_.begin(), text_.end());
    return true;
  }

  // Holds the read against that text.
  bool scan_back(ReadEnd end, std::uint32_t edits) {
    if (!read_back(end, edits)) return false;
    scan_.run(sides(end_entry(end), edits).mirror, text_);
    return true;
  }

  // The site that ends there, if it has at most `most` edits.
  std::optional<Hit> site_at(ReadEnd end, std::uint32_t most) {
    const CostScan::Best best = first_start(end, most);
    if (best.cost == kNoAlignment) return std::nullopt;
    const Hit hit = hit_at(end, best.length, best.cost);
    if (!is_asked(hit)) return std::nullopt;
    if (!ends_alone(hit) && first_end(hit) != end_column(end) + 1) return std::nullopt;
    return hit;
  }

  // Of the candidates that end there, with at most `most` edits, the first by rank. Nearly always it has the edits of
  // the end, and no fewer; then it has no indel, or a narrow scan finds it.
  CostScan::Best first_start(ReadEnd end, std::uint32_t most) {
    const std::uint32_t edits = end_edits(end);
    if (!read_back(end, edits)) return {0, kNoAlignment};
    const std::vector<BaseSet>& columns = sides(end_entry(end), edits).mirror.columns;
    if (text_.size() >= columns.size() && mismatches(columns, text_) == edits) {
      return {static_cast<std::uint32_t>(columns.size()), {edits, 0}};
    }
    scan_.run(sides(end_entry(end), edits).mirror, text_);
    if (scan_.best().cost == kNoAlignment && edits < most) scan_back(end, most);
    return scan_.best();
  }

  static std::uint32_t mismatches(const std::vector<BaseSet>& columns, const std::vector<BaseSet>& text) {
    std::uint32_t count = 0;
    for (std::size_t i = 0; i < columns.size(); ++i) count += (columns[i] & text[i]) == 0 ? 1 : 0;
    return count;
  }

  // Whether no other end near the hit's has as few edits, so that none can come first.
  bool ends_alone(const Hit& hit) const {
    const std::uint64_t last = std::uint64_t{hit.column} + hit.length - 1;
    const std::uint64_t reach = 2U * hit.edits;
    const auto first = static_cast<std::uint32_t>(last - std::min(last, reach));
    auto end = std::lower_bound(by_column_.begin(), by_column_.end(), make_read_end(hit.entry, first, 0));
    for (; end != by_column_.end() && end_entry(*end) == hit.entry && end_column(*end) <= last + reach; ++end) {
      if (end_column(*end) != last && end_edits(*end) <= hit.edits) return false;
    }
    return true;
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
  std::span<const ReadEnd> by_column_;  // the read's ends, by entry and column
  std::vector<ReadEnd> ends_;           // the same by edits
  std::vector<BaseSet> columns_;        // of the read on strand +
  Sides sides_[2];
  bool strands_made_[2] = {};
  CostScan scan_;
  std::vector<BaseSet> text_;
};

std::vector<Placement> Placer::place(const ReadBatch& batch, std::uint32_t first, std::uint32_t end,
                                     std::span<const ReadEnd> ends) const {
  std::vector<Placement> placements(end - first);
  Search search(reference_);
  auto next = ends.begin();
  for (std::uint32_t i = first; i < end; ++i) {
    const auto begin = next;
    while (next != ends.end() && end_entry(*next) / 2 == i) ++next;
    if (begin == next) continue;
    Placement& placement = placements[i - first];
    // On whichever strand it was searched for.
    const std::uint32_t edits = std::max(batch.entries[2 * i].edits, batch.entries[2 * i + 1].edits);
    search.start(batch.reads[i], 2 * i, edits, {begin, next});
    std::vector<Hit> sites = report_ == Report::sites ? search.sites() : search.best_sites();
    placement.mapq = mapq_of(sites);
    if (report_ == Report::best) {
      std::erase_if(
          sites, [lowest = sites.empty() ? 0U : sites.front().edits](const Hit& hit) { return hit.edits != lowest; });
    }
    placement.hits = report_ == Report::all ? search.all() : std::move(sites);
  }
  return placements;
}

}  // namespace basesweep
