#include "tools/trim_parts.hpp"

#include <cstdint>
#include <span>

#include "lib/compiled/field_bytes.hpp"
#include "tools/reads_parts.hpp"

namespace basesweep {
namespace {

constexpr std::uint8_t kFlag = 1;

void write_part(const AdapterPart& part, FieldWriter& to) {
  to.text(part.sequence);
  to.number(static_cast<std::uint8_t>(part.kind));
  to.number(static_cast<std::uint8_t>(part.placement));
  for (const bool flag : {part.rightmost, part.over_both_ends, part.indels}) to.number(static_cast<std::uint8_t>(flag));
  to.number(part.max_error_rate);
  to.number(part.min_overlap);
}

AdapterPart read_part(FieldReader& from) {
  AdapterPart part;
  part.sequence = from.text();
  part.kind = from.choice(AdapterKind::either);
  part.placement = from.choice(AdapterPlacement::non_internal);
  for (bool* flag : {&part.rightmost, &part.over_both_ends, &part.indels}) *flag = from.choice(kFlag) != 0;
  part.max_error_rate = from.number<double>();
  part.min_overlap = from.number<std::uint32_t>();
  return part;
}

void write_adapter(const Adapter& adapter, FieldWriter& to) {
  to.text(adapter.name);
  to.number(static_cast<std::uint8_t>(adapter.is_linked()));
  for (const AdapterPart& part : adapter.parts) write_part(part, to);
  for (const bool required : adapter.required) to.number(static_cast<std::uint8_t>(required));
}

Adapter read_adapter(FieldReader& from) {
  Adapter adapter;
  adapter.name = from.text();
  const bool linked = from.choice(kFlag) != 0;
  for (int i = 0; i < (linked ? 2 : 1); ++i) adapter.parts.push_back(read_part(from));
  for (bool& required : adapter.required) required = from.choice(kFlag) != 0;
  return adapter;
}

}  // namespace

std::string print_trim(const TrimQuery& query) {
  FieldWriter to;
  for (const bool flag : {query.kind.paired, query.kind.revcomp, query.kind.by_overlap}) {
    to.number(static_cast<std::uint8_t>(flag));
  }
  for (const std::vector<Adapter>& adapters : query.kind.adapters) {
    to.number(static_cast<std::uint32_t>(adapters.size()));
    for (const Adapter& adapter : adapters) write_adapter(adapter, to);
  }
  to.number(static_cast<std::uint8_t>(query.reasons.size()));
  for (const TrimReason reason : query.reasons) to.number(static_cast<std::uint8_t>(reason));
  return to.bytes();
}

TrimQuery parse_trim(const std::string& own, const PartSet& parts) {
  FieldReader from(std::as_bytes(std::span(own)));
  TrimQuery query;
  for (bool* flag : {&query.kind.paired, &query.kind.revcomp, &query.kind.by_overlap}) *flag = from.choice(kFlag) != 0;
  for (std::vector<Adapter>& adapters : query.kind.adapters) {
    const auto count = from.number<std::uint32_t>();
    for (std::uint32_t i = 0; i < count && from.ok(); ++i) adapters.push_back(read_adapter(from));
  }
  const auto reasons = from.number<std::uint8_t>();
  for (std::uint8_t i = 0; i < reasons; ++i) query.reasons.push_back(from.choice(TrimReason::untrimmed));
  if (!from.at_end()) throw damaged_query(parts);
  return query;
}

}  // namespace basesweep
