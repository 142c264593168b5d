#include "kernels/cuda/staged.cuh"
#include "kernels/cuda/starts.hpp"
#include "kernels/exact/wu_manber/index.hpp"
#include "kernels/exact/wu_manber/step.hpp"

namespace basesweep::wu_manber {

std::unique_ptr<cuda::Kernel> make_cuda_kernel(const RoomOptions& options) {
  const Index index(options.patterns, options.queries, options.tuning.block, kGpuBlocks);
  cuda::DeviceTables tables;
  IndexView view = index.view();
  view.SHIFT = tables.put(index.SHIFT);
  view.starts = cuda::put(tables, index.starts);
  return std::make_unique<cuda::StagedKernel<Scan>>(options, std::move(tables), Scan{view}, reach_of(index));
}

}  // namespace basesweep::wu_manber
