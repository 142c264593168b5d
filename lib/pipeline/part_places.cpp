#include "lib/pipeline/part_places.hpp"

#include <tbb/task_arena.h>

#include <cstddef>
#include <string>
#include <vector>

#include "lib/base/error.hpp"
#include "lib/base/stream_names.hpp"
#include "lib/guides/place_codec.hpp"
#include "lib/pipeline/name_check.hpp"
#include "lib/pipeline/row_stages.hpp"
#include "lib/pipeline/workers.hpp"

namespace basesweep {
namespace {

// Whether the guides of the run can have this place, so that its alignment can be drawn.
bool possible(const PlacedGuide& placed, const GuideSet& guides) {
  const GuidePlace& place = placed.place;
  if (place.guide >= guides.guides().size() || place.pam >= guides.pams().size()) return false;
  const auto length = static_cast<std::uint32_t>(guides.guides()[place.guide].letters.size());
  const Shape& shape = place.shape;
  const std::uint32_t left_out = shape.bulge == Bulge::rna ? shape.size : 0;
  if (shape.bulge != Bulge::none && (shape.at == 0 || shape.at + left_out >= length)) return false;
  return placed.letters.size() == shape.text_length(length) + guides.pams()[place.pam].size() &&
         placed.end - placed.start == static_cast<std::int64_t>(placed.letters.size());
}

class PartPlaces {
 public:
  PartPlaces(PartSet& parts, const GuideSet& guides, const GuideOutput& output)
      : parts_(parts),
        guides_(guides),
        output_(output),
        paths_(input_names(parts.head().inputs)),
        seen_(guides.guides().size()),
        names_(output.formatter != nullptr ? output.formatter->names() : NameRule::any, paths_) {}

  std::uint64_t run(int threads) {
    constexpr std::size_t kBlocksOfThread = 3;
    if (output_.formatter != nullptr) {
      output_.sink->write(output_.formatter->header(output_.records.value_or(std::vector<RecordInfo>())));
    }
    run_row_stages<PlacedGuide, PartSet::Block>({.next = [this] { return parts_.next(); },
                                                 .decode = [this](const PartSet::Block& block) { return decode(block); },
                                                 .select = [this](std::vector<PlacedGuide>& places) { return see(places); },
                                                 .formatter = output_.formatter,
                                                 .write = [this](std::string_view text) { output_.sink->write(text); }},
                                                kBlocksOfThread * static_cast<std::size_t>(threads));
    return rows_;
  }

 private:
  DecodedRows<PlacedGuide> decode(const PartSet::Block& block) const {
    if (output_.formatter == nullptr) return {};
    DecodedRows<PlacedGuide> places = block.decode<PlacedGuide>();
    for (const PlacedGuide& placed : places.rows()) {
      const bool known = placed.source < paths_.size() && possible(placed, guides_);
      if (!known) throw DataError(block.part->path() + ": the part is damaged: a place cannot be");
    }
    return places;
  }

  bool see(std::vector<PlacedGuide>& places) {
    for (PlacedGuide& placed : places) {
      placed.first = !seen_[placed.place.guide];
      seen_[placed.place.guide] = true;
      names_.check(placed.record, placed.record_name, placed.source);
    }
    rows_ += places.size();
    return true;
  }

  PartSet& parts_;
  const GuideSet& guides_;
  const GuideOutput& output_;
  const std::vector<std::string> paths_;
  std::vector<bool> seen_;  // of each guide: a place was written
  NameCheck names_;
  std::uint64_t rows_ = 0;  // that were written
};

}  // namespace

std::uint64_t run_part_places(PartSet& parts, const GuideSet& guides, const GuideOutput& output, int threads) {
  std::uint64_t rows = 0;
  const Workers workers(threads);
  tbb::task_arena arena(threads, 0);
  start_workers(arena, threads);
  arena.execute([&] { rows = PartPlaces(parts, guides, output).run(threads); });
  return rows;
}

}  // namespace basesweep
