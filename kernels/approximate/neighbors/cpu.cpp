#include "kernels/approximate/neighbors/index.hpp"
#include "kernels/approximate/neighbors/scan.hpp"
#include "kernels/cpu/cpu_matcher.hpp"
#include "kernels/room.hpp"

namespace basesweep::neighbors {
namespace {

std::unique_ptr<Matcher> make_cpu_matcher(const RoomOptions& options) {
  return std::make_unique<ScanMatcher<Index>>(options, Index(options), neighbors_scan_for(options.isa));
}

}  // namespace

cuda::MakeKernel make_cuda_kernel;  // cuda.cu

extern const Room kRoom{
    .name = "neighbors",
    .algorithm = Algorithm::neighbors,
    .finds = Finds::ends,
    .cpu_loop = CpuLoop::per_isa,
    .decline = unfit,
    .make_cpu_matcher = make_cpu_matcher,
    .make_cuda_kernel = BASESWEEP_IF_CUDA(make_cuda_kernel),
};

}  // namespace basesweep::neighbors
