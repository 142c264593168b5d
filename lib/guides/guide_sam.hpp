// Places of guides as alignments.
#pragma once

#include <memory>

#include "lib/guides/guide_set.hpp"
#include "lib/writer/sam_formatter.hpp"

namespace basesweep {

// SEQ is the guide with its PAM as it was given; NM, MD and XE (the mismatches and the size of the bulge) are as in
// make_hit_sam(). XM:i are the mismatches, XD:i and XR:i the size of a DNA or RNA bulge, YM:f and YC:f the MIT and CFD
// scores where there are some. Throws UsageError for a guide whose name SAM does not allow. `guides` must outlive this.
std::shared_ptr<const SamRows> make_guide_sam(const GuideSet& guides, bool distinguish);

}  // namespace basesweep
