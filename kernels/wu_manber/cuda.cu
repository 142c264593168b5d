#include "kernels/cuda/staged.cuh"
#include "kernels/wu_manber/index.hpp"
#include "kernels/wu_manber/step.hpp"

namespace basesweep::wu_manber {
namespace {

struct Scan : IndexView {
  template <class Fetch, class Text, class Emit>
  __device__ void operator()(const Text& text, std::uint32_t begin, std::uint32_t end, Emit emit) const {
    scan<Fetch>(*this, text, begin, end, emit);
  }
};

}  // namespace

std::unique_ptr<cuda::Kernel> make_cuda_kernel(const RoomOptions& options) {
  const Index index(options.patterns, options.entries, options.tuning.block, kGpuBlocks);
  cuda::DeviceTables tables;
  IndexView view = index.view();
  view.SHIFT = tables.put(index.SHIFT);
  view.starts = put(tables, index.starts);
  return std::make_unique<cuda::StagedKernel<Scan>>(options, std::move(tables), Scan{view},
                                                    cuda::StagedReach{.right = index.shortest});
}

}  // namespace basesweep::wu_manber
