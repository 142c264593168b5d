#include "kernels/cpu/cpu_matcher.hpp"
#include "kernels/exact/planes/cost.hpp"
#include "kernels/exact/planes/index.hpp"
#include "kernels/exact/planes/scan.hpp"
#include "kernels/room.hpp"

namespace basesweep::planes {
namespace {

std::optional<std::string> decline(const Query&) { return std::nullopt; }

std::unique_ptr<Matcher> make_cpu_matcher(const RoomOptions& options) {
  return std::make_unique<ScanMatcher<Index>>(options, Index(options.patterns, options.queries),
                                              planes_scan_for(options.isa));
}

}  // namespace

cuda::MakeKernel make_cuda_kernel;  // cuda.cu

extern const Room kRoom{
    .name = "planes",
    .algorithm = Algorithm::planes,
    .finds = Finds::starts,
    .cpu_loop = CpuLoop::per_isa,
    .decline = decline,
    .make_cpu_matcher = make_cpu_matcher,
    .make_cuda_kernel = BASESWEEP_IF_CUDA(make_cuda_kernel),
    .nanoseconds = nanoseconds,
};

}  // namespace basesweep::planes
