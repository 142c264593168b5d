#include "kernels/cuda/staged.cuh"
#include "kernels/sog/index.hpp"
#include "kernels/sog/step.hpp"

namespace basesweep::sog {
namespace {

struct Scan : IndexView {
  static constexpr auto kTable = &IndexView::V;

  template <class Fetch, class Text, class Emit>
  __device__ void operator()(const Text& text, std::uint32_t begin, std::uint32_t end, Emit emit) const {
    scan<Fetch>(*this, text, begin, end, emit);
  }
};

}  // namespace

std::unique_ptr<cuda::Kernel> make_cuda_kernel(const RoomOptions& options) {
  const Index index(options.patterns, options.entries, options.tuning.block);
  cuda::DeviceTables tables;
  IndexView view = index.view();
  view.V = tables.put(index.V);
  view.starts = put(tables, index.starts);
  const cuda::StagedReach reach{.right = kGroup + kMostPlaces};
  return std::make_unique<cuda::StagedKernel<Scan>>(options, std::move(tables), Scan{view}, reach, index.V.size());
}

}  // namespace basesweep::sog
