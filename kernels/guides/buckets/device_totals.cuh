// The totals of sites on the device.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>

#include "lib/guides/guide_join.hpp"

namespace basesweep::buckets {

// The totals of sites, without the counts of more mismatches than are looked for, which would take a quarter of a GPU's
// memory.
struct TotalsView {
  std::byte* bytes;
  std::uint32_t mismatches;  // at most

  __host__ __device__ static std::size_t step(std::uint32_t mismatches) {
    return (offsetof(SiteTotals, counts) + (mismatches + 1) * sizeof(SiteTotals::counts[0]) + 7) / 8 * 8;
  }
  // The counts of more mismatches are not there.
  __device__ SiteTotals& operator[](std::size_t i) const {
    return *reinterpret_cast<SiteTotals*>(bytes + i * step(mismatches));
  }
};

__global__ void clear_totals(TotalsView totals, std::uint32_t count) {
  const std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= count) return;
  SiteTotals& to = totals[i];
  const SiteTotals none = SiteTotals::none();
  to.nearest[0] = none.nearest[0];
  to.nearest[1] = none.nearest[1];
  to.mit = to.cfd = 0;
  to.exact_cfd = 0;
  for (std::uint32_t k = 0; k <= totals.mismatches; ++k) to.counts[k] = 0;
}

// all[i]: the totals of number `first` + i.
__global__ void complete_totals(TotalsView totals, std::uint64_t first, std::uint32_t count, SiteTotals* all) {
  const std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= count) return;
  const SiteTotals& from = totals[first + i];
  SiteTotals own{{from.nearest[0], from.nearest[1]}, from.mit, from.cfd, from.exact_cfd, {}};
#pragma unroll
  for (std::uint32_t k = 0; k <= kMostJoinMismatches; ++k) own.counts[k] = k <= totals.mismatches ? from.counts[k] : 0;
  all[i] = own;
}

}  // namespace basesweep::buckets
