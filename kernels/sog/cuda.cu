#include "kernels/cuda/staged.cuh"
#include "kernels/cuda/starts.hpp"
#include "kernels/sog/index.hpp"
#include "kernels/sog/step.hpp"

namespace basesweep::sog {

std::unique_ptr<cuda::Kernel> make_cuda_kernel(const RoomOptions& options) {
  const Index index(options.patterns, options.entries, options.tuning.block);
  cuda::DeviceTables tables;
  IndexView view = index.view();
  view.V = tables.put(index.V);
  view.starts = cuda::put(tables, index.starts);
  return std::make_unique<cuda::StagedKernel<Scan>>(options, std::move(tables), Scan{view}, reach_of(index),
                                                    index.V.size());
}

}  // namespace basesweep::sog
