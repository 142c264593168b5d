// Searches guides of the same letters once.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "lib/guides/guide_finder.hpp"

namespace basesweep {

class PackedBatch;  // lib/search/packed_batch.hpp

// Whether two guides have the same letters. It does not look at a set as large as designed ones are: that would take
// longer than it saves.
bool has_twins(const GuideSet& guides);

// Finds the places of each different guide with a finder of its own, and gives them to all guides of these letters.
class DistinctFinder final : public GuideFinder {
 public:
  using Make = std::function<std::unique_ptr<GuideFinder>(const GuideSet& guides)>;

  // `make`: of the finder for the different guides.
  DistinctFinder(const GuideSet& guides, const Make& make);

  std::string describe() const override { return finder_->describe(); }
  std::uint32_t batch_positions() const override { return finder_->batch_positions(); }
  int slots() const override { return finder_->slots(); }
  bool shares_batches() const override { return finder_->shares_batches(); }
  std::vector<DeviceBatches> batches() const override { return finder_->batches(); }
  void find(const PackedBatch& batch, const Loop& loop, const Use& use) const override;
  bool add_up(const PackedBatch& batch, bool skip_soft_masked, const UseSums& use) const override;

 private:
  std::vector<std::uint32_t> distinct_;             // of each guide, the index of its letters
  std::vector<std::vector<std::uint32_t>> guides_;  // of each of these, the guides that have them
  std::unique_ptr<GuideSet> set_;
  std::unique_ptr<GuideFinder> finder_;
};

}  // namespace basesweep
