#include "lib/pipeline/guide_totals.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "lib/compiled/field_bytes.hpp"
#include "lib/parts/part.hpp"
#include "lib/search/match_result.hpp"

namespace basesweep {
namespace {

// Whether places can have these totals. An exact copy has the full MIT score, and the nearest of them are named.
bool possible(const GuideTotals& totals, bool scored, std::uint64_t nearest) {
  if (!possible_sums(totals.mit, totals.cfd, totals.exact_cfd)) return false;
  if (totals.nearest.size() != std::min(totals.places(), nearest)) return false;
  return !scored || !totals.has_exact_copy() || totals.mit >= kFullScore;
}

// `classes`: how many counts a guide has.
GuideTotals read_totals(FieldReader& from, std::size_t classes) {
  GuideTotals totals;
  totals.counts.resize(classes);
  for (std::uint64_t& count : totals.counts) count = from.number<std::uint64_t>();
  totals.mit = from.number<std::uint64_t>();
  totals.cfd = from.number<std::uint64_t>();
  totals.exact_cfd = from.number<std::uint64_t>();
  const auto nearest = from.number<std::uint8_t>();
  for (std::uint8_t i = 0; i < nearest && from.ok(); ++i) totals.nearest.push_back(parse_place(from));
  return totals;
}

}  // namespace

void print_place(const NearPlace& place, FieldWriter& to) {
  to.number(place.bulge_size);
  to.number(place.mismatches);
  to.number(place.record);
  to.number(place.start);
  to.number(place.end);
  to.number(static_cast<std::uint8_t>(place.strand == Strand::minus));
  to.text(place.record_name);
  to.text(place.letters);
  to.text(place.guide);
}

NearPlace parse_place(FieldReader& from) {
  NearPlace place;
  place.bulge_size = from.number<std::uint32_t>();
  place.mismatches = from.number<std::uint32_t>();
  place.record = from.number<std::int64_t>();
  place.start = from.number<std::int64_t>();
  place.end = from.number<std::int64_t>();
  place.strand = from.number<std::uint8_t>() != 0 ? Strand::minus : Strand::plus;
  place.record_name = from.text();
  place.letters = from.text();
  place.guide = from.text();
  return place;
}

bool possible_sums(std::uint64_t mit, std::uint64_t cfd, std::uint64_t exact_cfd) {
  constexpr std::uint64_t kMost = 1ULL << 60;
  return mit <= kMost && cfd <= kMost && exact_cfd <= cfd;
}

std::string print_totals(const GuideTable& table, const GuideSet& guides) {
  FieldWriter to;
  for (std::size_t i = 0; i < guides.guides().size(); ++i) {
    const GuideTotals& totals = table.totals(i);
    for (const std::uint64_t count : totals.counts) to.number(count);
    to.number(totals.mit);
    to.number(totals.cfd);
    to.number(totals.exact_cfd);
    to.number(static_cast<std::uint8_t>(totals.nearest.size()));
    for (const NearPlace& place : totals.nearest) print_place(place, to);
  }
  return to.bytes();
}

void add_totals(std::string_view bytes, const std::string& path, const GuideSet& guides, GuideTable& table) {
  const auto refuse = [&path](std::string_view what) { throw damaged_part(path, what); };
  FieldReader from(std::as_bytes(std::span(bytes)));
  for (std::size_t i = 0; i < guides.guides().size(); ++i) {
    const Guide& guide = guides.guides()[i];
    const bool scored = is_scored(guides, guide);
    const GuideTotals totals = read_totals(from, table.totals(i).counts.size());
    if (!from.ok()) refuse("its totals are not complete");
    if (!possible(totals, scored, table.nearest()))
      refuse(fmt::format("its totals of guide '{}' cannot be", guide.name));
    table.add(i, totals);
    if (!possible(table.totals(i), scored, table.nearest())) {
      refuse(fmt::format("its totals of guide '{}' do not fit those of the parts before", guide.name));
    }
  }
  if (!from.at_end()) refuse("it has totals of more guides than there are");
}

}  // namespace basesweep
