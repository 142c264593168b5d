#include <htslib/sam.h>

#include <string>
#include <vector>

#include "lib/search/pattern_set.hpp"
#include "lib/writer/sam_formatter.hpp"
#include "lib/writer/standing_tags.hpp"

namespace basesweep {
namespace {

class HitSam final : public SamRows {
 public:
  HitSam(const PatternSet& patterns, bool distinguish) : patterns_(patterns), queries_(patterns, distinguish) {
    SamQueryNames names("pattern");
    for (const Pattern& pattern : patterns.patterns()) names_.push_back(names.add(pattern.name));
  }

  void describe(const Row& row, int /*alignment*/, bool binary, SamScratch& scratch, SamRecord& record) const override {
    const auto& hit = static_cast<const PlacedHit&>(row);
    record.name = names_[patterns_.queries()[hit.hit.query].pattern];
    if (hit.hit.first == 0) record.flag = BAM_FSECONDARY;
    record.place = {static_cast<std::int32_t>(hit.record), hit.record_name, hit.start};
    record.end = hit.end;
    queries_.describe(hit.hit, hit.letters, scratch, record);
    if (hit.standing.best == 0) return;
    scratch.tags = standing_tags(hit.standing, binary);
    record.last_tags = scratch.tags;
  }

 private:
  const PatternSet& patterns_;
  const SamQueries queries_;
  std::vector<std::string> names_;  // QNAME of each pattern
};

}  // namespace

std::shared_ptr<const SamRows> make_hit_sam(const PatternSet& patterns, bool distinguish) {
  return std::make_shared<HitSam>(patterns, distinguish);
}

}  // namespace basesweep
