#include "lib/parts/hit_chooser.hpp"

#include <algorithm>

#include "lib/base/fields.hpp"

namespace basesweep {

MergeRules::MergeRules(const PartLabel& label)
    : products(parameter(label, "command") == "pcr"),
      approximate(parameter(label, "command") == "match"),
      primaries(approximate || parameter(label, "command") == "guides"),
      best(parameter(label, "report") == "best" && approximate),
      best_per_record(parameter(label, "records") == "cut" && parameter(label, "command") != "pwm"),
      best_scores(parameter(label, "records") == "cut" && parameter(label, "command") == "pwm"),
      patterns_compete(parameter(label, "best_of") == "record"),
      non_overlapping(parameter(label, "overlapping") == "no"),
      circular(!products && !parameter(label, "circular").empty()),
      overhang(!parameter(label, "overhang_5prime").empty() || !parameter(label, "overhang_3prime").empty()) {
  std::uint64_t number = 0;
  if (parse_number(parameter(label, "max_hits"), number)) max_hits = number;
}

MergeColumns MergeRules::columns() const {
  const bool choosing = non_overlapping || best_per_record || best_scores;
  MergeColumns columns = merge_columns(approximate, overhang, choosing, circular);
  columns.points = best_scores;
  return columns;
}

void HitChooser::see(const PrintedHit& hit) {
  const auto [known, fresh] = lowest_edits_.try_emplace(std::string(hit.pattern), hit.edits);
  if (!fresh) known->second = std::min(known->second, hit.edits);
}

bool HitChooser::keep(const PrintedHit& hit) {
  if (rules_.best && hit.edits > lowest_edits_.at(std::string(hit.pattern))) return false;
  if (rules_.best_per_record) {
    const RecordStandings::OfGroup& group = ahead_.of(hit);
    if (hit.edits != group.fewest_edits) return false;
    standing_ = group.standing;
  }
  if (rules_.non_overlapping) {
    Kept& kept = kept_[std::string(hit.pattern) + (hit.minus ? '-' : '+')];
    const bool same = kept.record == hit.record && kept.number == hit.number;
    if (same && hit.start < kept.last_end) return false;
    kept = {std::string(hit.record), hit.number, same ? kept.first_start : hit.start, hit.end};
    if (hit.origin != 0 && hit.end - hit.origin > kept.first_start) return false;
  }
  ++kept_count_;
  return true;
}

}  // namespace basesweep
