#include "kernels/cuda/staged.cuh"
#include "kernels/set_horspool/index.hpp"
#include "kernels/set_horspool/step.hpp"

namespace basesweep::set_horspool {
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
  const Scan scan{{tables.put(index.cells), tables.put(index.shift), tables.put(index.ending_begin),
                   tables.put(index.endings), index.shortest, index.longest}};
  const cuda::StagedReach reach{
      .left = index.longest + 32, .begin_after = index.shortest - 1, .end_after = index.longest - 1};
  return std::make_unique<cuda::StagedKernel<Scan>>(options, std::move(tables), scan, reach);
}

}  // namespace basesweep::set_horspool
