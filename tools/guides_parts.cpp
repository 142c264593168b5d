#include "tools/guides_parts.hpp"

#include <cstdint>
#include <span>
#include <vector>

#include "lib/compiled/field_bytes.hpp"
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

}  // namespace basesweep
