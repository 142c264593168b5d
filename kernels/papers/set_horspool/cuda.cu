#include "kernels/cuda/staged.cuh"
#include "kernels/papers/set_horspool/index.hpp"
#include "kernels/papers/set_horspool/step.hpp"

namespace basesweep::set_horspool {

std::unique_ptr<cuda::Kernel> make_cuda_kernel(const RoomOptions& options) {
  const Index index(options.patterns, options.queries);
  cuda::DeviceTables tables;
  const Scan scan{{tables.put(index.cells), tables.put(index.shift), tables.put(index.ending_begin),
                   tables.put(index.endings), index.shortest, index.longest}};
  return std::make_unique<cuda::StagedKernel<Scan>>(options, std::move(tables), scan, reach_of(index));
}

}  // namespace basesweep::set_horspool
