// Finds ends of reads on the CPU, on the caller's thread.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "kernels/reads/seeds/index.hpp"
#include "kernels/reads/window_groups.hpp"
#include "lib/search/finder.hpp"

namespace basesweep {

class PackedBatch;  // lib/search/packed_batch.hpp

// How windows are verified on the CPU.
struct CpuVerifiers {
  std::string name;  // "myers", or which ones `auto` takes
  WindowScan scan;
  std::optional<WindowScan> few_scan;  // for groups that have few_windows windows or fewer
  std::uint32_t few_windows = 0;
};

class CpuFinder final : public Finder {
 public:
  CpuFinder(const PackedBatch& reference, const FinderOptions& options, CpuVerifiers verifiers);

  void submit(const ReadQueryView& reads, std::uint32_t first_read, Done done) override;
  std::string describe() const override;
  std::size_t batch_bytes() const override { return batch_bytes_; }

 private:
  // Returns the ends of the queries from `query` on, and moves `query` to the first one whose ends are left out.
  std::vector<ReadEnd> find(const ReadQueryView& reads, std::uint32_t& query) const;
  void search(const WindowGroups& groups, const ReadQueryView& reads, EndSink& sink) const;

  const PackedView text_;
  const Candidates candidates_;
  const Isa isa_;
  const std::size_t max_ends_;
  const std::size_t batch_bytes_;
  const CpuVerifiers verifiers_;
  std::optional<seeds::Index> index_;
};

}  // namespace basesweep
