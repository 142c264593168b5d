// Places of guides as rows.
#pragma once

#include <string>
#include <vector>

#include "lib/guides/annotation.hpp"
#include "lib/guides/guide_set.hpp"
#include "lib/rows/rows.hpp"

namespace basesweep {

// Rows are PlacedGuides. TSV has the columns of Cas-OFFinder 3 and the scores.
class PlaceRows final : public Rows {
 public:
  // `files`: the names of the inputs. `annotation`: null without. Both references must outlive this.
  explicit PlaceRows(const GuideSet& guides, std::vector<std::string> files = {},
                     const Annotation* annotation = nullptr);

  void prepare(const Row& row, unsigned needs) const override;
  LineShape shape(OutputFormat format) const override;

  const GuideSet& guides() const { return guides_; }
  const Annotation* annotation() const { return annotation_; }

 private:
  const GuideSet& guides_;
  const Annotation* const annotation_;
};

}  // namespace basesweep
