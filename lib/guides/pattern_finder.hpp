// Finds few guides as patterns that end or begin with their PAM.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "lib/guides/forward_pam.hpp"
#include "lib/guides/guide_finder.hpp"
#include "lib/search/matcher.hpp"
#include "lib/search/pattern_set.hpp"

namespace basesweep {

// Searches a batch for each guide with each PAM, so that its time grows with the guides, while finders that list all
// sites of a PAM first take about as long for one guide as for many. For guides without bulges.
class PatternFinder final : public GuideFinder {
 public:
  using Make = std::function<std::unique_ptr<Matcher>(const PatternSet& patterns)>;
  using MakeOther = std::function<std::unique_ptr<GuideFinder>()>;
  // `guides` must outlive it. `make`: of a matcher on the CPU for the patterns. `make_other`: of a finder on the CPU
  // for the same guides, which searches batches with more occurrences than a matcher lists.
  PatternFinder(const GuideSet& guides, const Make& make, MakeOther make_other);

  std::string describe() const override { return matcher_->describe(); }
  std::uint32_t batch_positions() const override { return matcher_->batch_positions(); }
  bool shares_batches() const override { return false; }
  void find(const PackedBatch& batch, const Loop& loop, const Use& use) const override;

 private:
  std::optional<GuidePlace> place_at(const PackedBatch& batch, std::uint32_t query, std::uint32_t last) const;

  const GuideSet& guides_;
  const std::vector<GuideBits> bits_;
  const std::vector<ForwardPam> pams_[2];  // by strand
  PatternSet patterns_;                    // number guide x PAMs + PAM
  std::unique_ptr<Matcher> matcher_;
  MakeOther make_other_;
  mutable std::once_flag once_;
  mutable std::unique_ptr<GuideFinder> other_;
};

}  // namespace basesweep
