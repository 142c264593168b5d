#include "lib/align/read_sites.hpp"

#include <algorithm>
#include <tuple>

#include "lib/align/text_sets.hpp"
#include "lib/search/packed_batch.hpp"

namespace basesweep {
namespace {

void reverse_complement(std::vector<BaseSet>& positions) {
  std::reverse(positions.begin(), positions.end());
  for (BaseSet& set : positions) set = complement_set(set);
}

auto order(const Hit& hit) { return std::tuple(hit.edits, hit.position, hit.length, hit.query); }

void put_in_order(std::vector<Hit>& hits) {
  std::sort(hits.begin(), hits.end(), [](const Hit& a, const Hit& b) { return order(a) < order(b); });
}

Hit hit_at(ReadEnd end, std::uint32_t length, Cost cost) {
  return {.position = end_position(end) + 1 - length,
          .length = length,
          .query = end_query(end),
          .first = 0,
          .edits = static_cast<std::uint16_t>(cost.edits),
          .indels = static_cast<std::uint16_t>(cost.indels)};
}

std::uint32_t mismatches(std::span<const BaseSet> positions, std::span<const BaseSet> text) {
  std::uint32_t count = 0;
  for (std::size_t i = 0; i < positions.size(); ++i) count += (positions[i] & text[i]) == 0 ? 1 : 0;
  return count;
}

}  // namespace

void ReadSites::start(const Read& read, std::uint32_t query, std::uint32_t edits, std::span<const ReadEnd> ends) {
  first_query_ = query;
  edits_ = edits;
  by_position_ = ends;
  ends_.assign(ends.begin(), ends.end());
  std::stable_sort(ends_.begin(), ends_.end(), [](ReadEnd a, ReadEnd b) { return end_edits(a) < end_edits(b); });
  positions_.resize(read.letters.size());
  std::transform(read.letters.begin(), read.letters.end(), positions_.begin(), base_set);
  strands_made_[0] = strands_made_[1] = false;
}

std::vector<Hit> ReadSites::sites() {
  std::vector<Hit> sites;
  for (const ReadEnd end : ends_) {
    if (const std::optional<Hit> site = site_at(end, edits_)) sites.push_back(*site);
  }
  put_in_order(sites);
  return sites;
}

// No alignment has fewer edits than its end: the finder sees the planes only, and letters that are not bases, and
// record borders, can only add edits. So ends are visited by edits, and the search stops at the first that has too
// many.
std::vector<Hit> ReadSites::best_sites(std::uint32_t gap) {
  std::vector<Hit> sites;
  std::optional<Hit> best;
  bool tied = false;
  std::uint32_t max_edits = edits_;
  for (const ReadEnd end : ends_) {
    if (end_edits(end) > max_edits) break;
    if (best && end_edits(end) > best->edits) {  // a site here can only affect mapq
      if (tied) break;
      if (must_overlap(end, max_edits, *best)) continue;
    }
    const std::optional<Hit> site = site_at(end, max_edits);
    if (!site) continue;
    sites.push_back(*site);
    tied = best && (site->edits == best->edits || (tied && site->edits > best->edits));
    if (!best || site->edits < best->edits) best = site;
    max_edits = std::min(max_edits, best->edits + gap);
  }
  put_in_order(sites);
  return sites;
}

std::vector<Hit> ReadSites::candidates() {
  std::vector<Hit> hits;
  for (std::span<const ReadEnd> rest = by_position_; !rest.empty();) {
    const std::size_t count = scan_back_together(rest);
    for (std::size_t text = 0; text < count; ++text) {
      const std::span<const Cost> costs = scan_.costs(text);
      for (std::uint32_t i = 0; i < costs.size(); ++i) {
        if (costs[i] == kNoAlignment) continue;
        const Hit hit = hit_at(rest[text], scan_.min_length() + i, costs[i]);
        if (is_requested(hit)) hits.push_back(hit);
      }
    }
    rest = rest.subspan(std::max<std::size_t>(count, 1));
  }
  put_in_order(hits);
  return hits;
}

// Whether every alignment with at most `max_edits` edits that ends there overlaps the hit on its strand.
bool ReadSites::must_overlap(ReadEnd end, std::uint32_t max_edits, const Hit& hit) const {
  const std::uint64_t stop = std::uint64_t{end_position(end)} + 1;
  return end_query(end) == hit.query && stop > hit.position &&
         stop + max_edits < std::uint64_t{hit.position} + hit.length + positions_.size();
}

// Whether the hit starts where hits count.
bool ReadSites::is_requested(const Hit& hit) const {
  if (!reference_.requested()) return true;
  const auto after = std::partition_point(reference_.requested()->begin(), reference_.requested()->end(),
                                          [&hit](const Interval& requested) { return requested.end <= hit.position; });
  return after != reference_.requested()->end() && after->begin <= hit.position;
}

// The read on the query's strand, with its limits set to `edits`.
ReadSites::Sides& ReadSites::sides(std::uint32_t query, std::uint32_t edits) {
  const std::size_t strand = query - first_query_;
  Sides& sides = sides_[strand];
  if (!strands_made_[strand]) {
    strands_made_[strand] = true;
    sides.known_end = 0;
    sides.sets = positions_;
    if (strand != 0) reverse_complement(sides.sets);
    sides.mirror_sets.assign(sides.sets.rbegin(), sides.sets.rend());
    sides.query.sets = sides.sets;
    sides.mirror.sets = sides.mirror_sets;
  }
  for (Query* side : {&sides.query, &sides.mirror}) {
    side->limits = {.edits = edits, .mismatches = edits, .indels = edits};
  }
  return sides;
}

// The segment that the position lies in, or null.
const Segment* ReadSites::segment_of(std::uint32_t position) const {
  const Segment& segment = reference_.segments()[reference_.segment_at(position)];
  return position >= segment.position && position < segment.end ? &segment : nullptr;
}

// Reads the text that ends with the end's position into text_, backwards, as far as an alignment with these edits can
// reach. False when the position is in no record.
bool ReadSites::read_back(ReadEnd end, std::uint32_t edits) {
  const Segment* segment = segment_of(end_position(end));
  if (segment == nullptr) return false;
  const std::uint32_t stop = end_position(end) + 1;
  const auto reach = static_cast<std::uint32_t>(positions_.size()) + edits;
  read_sets(reference_, stop - std::min(stop - segment->position, reach), stop, text_);
  std::reverse(text_.begin(), text_.end());
  return true;
}

// Aligns the read to that text.
bool ReadSites::scan_back(ReadEnd end, std::uint32_t edits) {
  if (!read_back(end, edits)) return false;
  scan_.run(sides(end_query(end), edits).mirror, text_);
  return true;
}

// Aligns the read, with all its edits, to the text before the first end and before those that follow it nearby. Returns
// how many ends these are; 0: the first is in no record.
std::size_t ReadSites::scan_back_together(std::span<const ReadEnd> ends) {
  constexpr std::uint32_t kNear = 256;
  const Segment* const segment = segment_of(end_position(ends[0]));
  if (segment == nullptr) return 0;
  const std::uint32_t first = end_position(ends[0]) + 1;
  std::size_t count = 1;
  while (count < std::min(ends.size(), CostScan::kMaxTexts) && end_query(ends[count]) == end_query(ends[0]) &&
         end_position(ends[count]) < std::min(first + kNear, segment->end))
    ++count;
  const std::uint32_t last = end_position(ends[count - 1]) + 1;
  const auto reach = static_cast<std::uint32_t>(positions_.size()) + edits_;
  read_sets(reference_, first - std::min(first - segment->position, reach), last, text_);
  std::reverse(text_.begin(), text_.end());
  std::span<const BaseSet> texts[CostScan::kMaxTexts];
  for (std::size_t i = 0; i < count; ++i) texts[i] = std::span(text_).subspan(last - 1 - end_position(ends[i]));
  scan_.run(sides(end_query(ends[0]), edits_).mirror, std::span(texts, count));
  return count;
}

// The site that ends there, if it has at most `max_edits` edits and its start is requested.
std::optional<Hit> ReadSites::site_at(ReadEnd end, std::uint32_t max_edits) {
  const CostScan::Best best = first_start(end, max_edits);
  if (best.cost == kNoAlignment) return std::nullopt;
  const Hit hit = hit_at(end, best.length, best.cost);
  if (!is_requested(hit)) return std::nullopt;
  if (!ends_alone(hit) && first_end(hit) != end_position(end) + 1) return std::nullopt;
  return hit;
}

// The best candidate by rank that ends there with at most `max_edits` edits. It nearly always has as many edits as the
// end, so two cheap ways are tried first: without indels, and in the narrow band of the end's edits.
CostScan::Best ReadSites::first_start(ReadEnd end, std::uint32_t max_edits) {
  const std::uint32_t edits = end_edits(end);
  if (!read_back(end, edits)) return {0, kNoAlignment};
  const std::span<const BaseSet> positions = sides(end_query(end), edits).mirror.sets;
  if (text_.size() >= positions.size() && mismatches(positions, text_) == edits) {
    return {static_cast<std::uint32_t>(positions.size()), {edits, 0}};
  }
  scan_.run(sides(end_query(end), edits).mirror, text_);
  if (scan_.best().cost == kNoAlignment && edits < max_edits) scan_back(end, max_edits);
  return scan_.best();
}

// Whether no other end near the hit's has as few edits. Then no candidate with the hit's start has a lower rank.
bool ReadSites::ends_alone(const Hit& hit) const {
  const std::uint64_t last = std::uint64_t{hit.position} + hit.length - 1;
  const std::uint64_t reach = 2U * hit.edits;
  const auto first = static_cast<std::uint32_t>(last - std::min(last, reach));
  auto end = std::lower_bound(by_position_.begin(), by_position_.end(), make_read_end(hit.query, first, 0));
  for (; end != by_position_.end() && end_query(*end) == hit.query && end_position(*end) <= last + reach; ++end) {
    if (end_position(*end) != last && end_edits(*end) <= hit.edits) return false;
  }
  return true;
}

// The end, exclusive, of the best candidate by rank that starts where the hit does.
std::uint32_t ReadSites::first_end(const Hit& hit) {
  Sides& read = sides(hit.query, hit.edits);
  if (read.known_end != 0 && read.known_start == hit.position) return read.known_end;
  const auto reach = static_cast<std::uint32_t>(positions_.size()) + hit.edits;
  const std::uint32_t left = segment_of(hit.position)->end - hit.position;
  read_sets(reference_, hit.position, hit.position + std::min(reach, left), text_);
  scan_.run(read.query, text_);
  read.known_start = hit.position;
  return read.known_end = hit.position + scan_.best().length;
}

}  // namespace basesweep
