#include "kernels/cuda/staged.cuh"
#include "kernels/cuda/starts.hpp"
#include "kernels/papers/sbom/index.hpp"
#include "kernels/papers/sbom/step.hpp"

namespace basesweep::sbom {

std::unique_ptr<cuda::Kernel> make_cuda_kernel(const RoomOptions& options) {
  const Index index(options.patterns, options.queries);
  cuda::DeviceTables tables;
  const Scan scan{{tables.put(index.next), cuda::put(tables, index.starts), index.starts.shortest}};
  return std::make_unique<cuda::StagedKernel<Scan>>(options, std::move(tables), scan, reach_of(index));
}

}  // namespace basesweep::sbom
