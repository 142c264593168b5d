#include "kernels/cuda/staged.cuh"
#include "kernels/sbom/index.hpp"
#include "kernels/sbom/step.hpp"

namespace basesweep::sbom {
namespace {

struct Scan : IndexView {
  template <class Fetch, class Text, class Emit>
  __device__ void operator()(const Text& text, std::uint32_t begin, std::uint32_t end, Emit emit) const {
    scan<Fetch>(*this, text, begin, end, emit);
  }
};

}  // namespace

std::unique_ptr<cuda::Kernel> make_cuda_kernel(const RoomOptions& options) {
  const Index index(options.patterns, options.entries);
  cuda::DeviceTables tables;
  const Scan scan{{tables.put(index.next), put(tables, index.starts), index.shortest}};
  return std::make_unique<cuda::StagedKernel<Scan>>(options, std::move(tables), scan,
                                                    cuda::StagedReach{.right = index.shortest});
}

}  // namespace basesweep::sbom
