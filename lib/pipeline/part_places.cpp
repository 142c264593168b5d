#include "lib/pipeline/part_places.hpp"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lib/base/stream_names.hpp"
#include "lib/guides/place_codec.hpp"
#include "lib/pipeline/name_check.hpp"
#include "lib/pipeline/part_stages.hpp"

namespace basesweep {
namespace {

// Whether the guides of the run can have this place, so that its alignment can be drawn. Chunks know no features.
bool possible(const PlacedGuide& placed, const GuideSet& guides) {
  const GuidePlace& place = placed.place;
  if (place.guide >= guides.guides().size() || place.pam >= guides.pams().size()) return false;
  if (!placed.features.empty()) return false;
  const auto length = static_cast<std::uint32_t>(guides.guides()[place.guide].letters.size());
  const GuideShape& shape = place.shape;
  const std::uint32_t left_out = shape.bulge == Bulge::rna ? shape.size : 0;
  if (shape.bulge != Bulge::none &&
      (shape.at == 0 || shape.size == 0 || shape.size > kMaxBulge || shape.at + left_out >= length)) {
    return false;
  }
  return placed.letters.size() == shape.text_length(length) + guides.pams()[place.pam].size() &&
         placed.end - placed.start == static_cast<std::int64_t>(placed.letters.size());
}

}  // namespace

std::uint64_t run_part_places(PartSet& parts, const GuideSet& guides, const RowTarget& output, int threads) {
  const std::vector<std::string> paths = input_names(parts.head().inputs);
  const bool written = output.formatter != nullptr;
  NameCheck names(written ? output.formatter->names() : NameRule::any, paths);
  std::vector<bool> seen(guides.guides().size());  // of each guide: a place was written
  std::uint64_t rows = 0;
  RowStages<PlacedGuide> stages;
  stages.formatter = output.formatter;
  stages.select = [&](std::vector<PlacedGuide>& places) {
    for (PlacedGuide& placed : places) {
      placed.first = !seen[placed.place.guide];
      seen[placed.place.guide] = true;
      names.check(placed.record, placed.record_name, placed.source);
    }
    rows += places.size();
    return true;
  };
  stages.write = [&output](std::string_view text) { output.sink->write(text); };
  if (written) output.sink->write(output.formatter->header(output.records.value_or(std::vector<RecordInfo>())));
  run_part_stages<PlacedGuide>(
      parts, [&](const PlacedGuide& placed) { return parts.head().has_place(placed) && possible(placed, guides); },
      std::move(stages), threads);
  return written ? rows : 0;
}

}  // namespace basesweep
