#include "lib/trim/trim_row.hpp"

#include <fmt/format.h>

#include <iterator>

namespace basesweep {

const char* const kTrimColumns = "read\tmate\tadapter\tedits\tstrand\tcut_start\tcut_end\treason\n";

void append_trim_row(const TrimSettings& settings, const ReadState& state, TrimReason reason, std::string& rows) {
  const auto to = std::back_inserter(rows);
  fmt::format_to(to, "{}\t", state.read->name);
  if (settings.paired) {
    fmt::format_to(to, "{}\t", state.mate + 1);
  } else {
    rows += ".\t";
  }
  std::uint32_t edits = 0;
  const std::size_t begin = rows.size();
  const auto add = [&](std::string_view name) { rows.append(rows.size() == begin ? "" : ",").append(name); };
  for (const FoundAdapter& one : state.found) {
    add(settings.mates[state.mate].adapters->adapters()[one.adapter].name);
    edits += one.errors;
  }
  if (state.primers) {
    add(settings.primers->names()[state.primers->first]);
    if (state.primers->last) add(settings.primers->names()[*state.primers->last]);
    edits += state.primers->errors;
  }
  if (rows.size() > begin) {
    fmt::format_to(to, "\t{}\t", edits);
  } else {
    rows += state.by_overlap ? "overlap\t.\t" : ".\t.\t";
  }
  const ReadRange range = state.input_range();
  fmt::format_to(to, "{}\t{}\t{}\t{}\n", state.turned || state.exchanged ? '-' : '+', range.begin, range.end,
                 word_of(reason));
}

}  // namespace basesweep
