#include "tools/guides_parts.hpp"

#include <cstdint>
#include <span>
#include <vector>

#include "lib/compiled/field_bytes.hpp"
#include "lib/guides/scores.hpp"
#include "lib/pipeline/guide_totals.hpp"
#include "tools/guides_options.hpp"

namespace basesweep {

std::string print_guides(const GivenGuides& given, const GuidesOptions& o) {
  FieldWriter to;
  to.texts(o.pam.pams);
  to.number(static_cast<std::uint8_t>(o.pam.side));
  to.number(static_cast<std::uint8_t>(o.pam.in_guide));
  for (const std::uint32_t limit :
       {o.limits.mismatches, o.limits.dna_bulges, o.limits.rna_bulges, o.limits.seed, o.limits.seed_mismatches}) {
    to.number(limit);
  }
  to.texts(given.rows.header);
  to.number(static_cast<std::uint32_t>(given.guides.size()));
  for (std::size_t i = 0; i < given.guides.size(); ++i) {
    to.text(given.guides[i].name);
    to.text(given.guides[i].sequence);
    to.number(static_cast<std::uint8_t>(!given.repeats.empty() && given.repeats[i]));
    to.texts(given.rows.rows[i]);
  }
  return to.bytes();
}

GivenGuides guides_of(const PartSet& parts, GuidesOptions& o) {
  FieldReader from(std::as_bytes(std::span(parts.head().query)));
  o.pam.pams = from.texts();
  o.pam.side = from.choice(PamSide::five_prime);
  o.pam.in_guide = from.choice(PamInGuide::no);
  for (std::uint32_t* limit :
       {&o.limits.mismatches, &o.limits.dna_bulges, &o.limits.rna_bulges, &o.limits.seed, &o.limits.seed_mismatches}) {
    *limit = from.number<std::uint32_t>();
  }
  GivenGuides given;
  given.rows.header = from.texts();
  const auto count = from.number<std::uint32_t>();
  for (std::uint32_t i = 0; i < count && from.ok(); ++i) {
    Pattern& guide = given.guides.emplace_back();
    guide.name = from.text();
    guide.sequence = from.text();
    given.repeats.push_back(from.number<std::uint8_t>() != 0);
    given.rows.rows.push_back(from.texts());
  }
  const bool possible = o.limits.mismatches <= kMaxGuideLength && o.limits.max_bulge() <= kMaxBulge;
  if (!from.at_end() || !possible || given.guides.empty() || o.pam.pams.empty()) {
    throw damaged_part(parts.paths().front(), "its guides are not complete");
  }
  return given;
}

bool possible(const JoinedRow& row, const PartHead& head, const GuideSet& every, const JoinLimits& limits) {
  const auto length = static_cast<std::int64_t>(row.guide.size() + row.pam.size());
  if (!head.has_place(row) || row.guide.size() != every.max_length() || row.end - row.start != length) return false;
  std::uint64_t places = 0;
  for (std::size_t k = 0; k < row.counts.size(); ++k) {
    if (k > limits.mismatches && row.counts[k] != 0) return false;
    places += row.counts[k];
  }
  if (row.counts.front() == 0 || row.has_near != (places > 1)) return false;
  if (!possible_sums(row.mit, row.cfd, row.exact_cfd)) return false;
  // An exact copy has the full MIT score.
  if (limits.scored && places <= limits.most_scored && row.mit < kFullScore) return false;
  if (!row.has_near) return true;
  PlacedRow near;
  near.record = row.near.record;
  near.start = row.near.start;
  near.end = row.near.end;
  return head.has_place(near) && row.near.mismatches <= limits.mismatches &&
         row.near.letters.size() == static_cast<std::size_t>(row.near.end - row.near.start);
}

}  // namespace basesweep
