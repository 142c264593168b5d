#include "kernels/cuda/staged.cuh"
#include "kernels/cuda/starts.hpp"
#include "kernels/exact/sog/index.hpp"
#include "kernels/exact/sog/step.hpp"

namespace basesweep::sog {

std::unique_ptr<cuda::Kernel> make_cuda_kernel(const RoomOptions& options) {
  const Index index(options.patterns, options.queries, options.tuning.block);
  cuda::DeviceTables tables;
  IndexView view = index.view();
  view.V = tables.put(index.V);
  view.starts = cuda::put(tables, index.starts);
  return std::make_unique<cuda::StagedKernel<Scan>>(options, std::move(tables), Scan{view}, reach_of(index),
                                                    index.V.size());
}

}  // namespace basesweep::sog
