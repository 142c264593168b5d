// Finds ends of reads on the CPU, on the caller's thread.
#pragma once

#include <memory>
#include <optional>

#include "kernels/seeds/index.hpp"
#include "kernels/window_groups.hpp"
#include "lib/finder.hpp"

namespace basesweep {

class CpuFinder final : public Finder {
 public:
  CpuFinder(const PackedBatch& reference, const FinderOptions& options);

  void submit(const ReadBatch& reads, std::uint32_t first_read, Done done) override;
  std::string describe() const override;

 private:
  // The ends from `entry` on, which becomes the first that is not done.
  std::vector<ReadEnd> find(const SoughtView& reads, std::uint32_t& entry) const;
  void search(const WindowGroups& groups, const SoughtView& reads, EndSink& sink) const;

  const PackedView text_;
  const Algorithm algorithm_;
  const Candidates candidates_;
  const Isa isa_;
  const std::size_t most_ends_;
  const WindowScan scan_;                     // `automatic`: of full groups
  const std::optional<WindowScan> few_scan_;  // `automatic`: of what is left
  std::optional<seeds::Index> index_;
};

}  // namespace basesweep
