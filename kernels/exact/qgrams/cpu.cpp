#include "kernels/cpu/cpu_matcher.hpp"
#include "kernels/exact/qgrams/cost.hpp"
#include "kernels/exact/qgrams/index.hpp"
#include "kernels/exact/qgrams/scan.hpp"
#include "kernels/room.hpp"

namespace basesweep::qgrams {
namespace {

std::unique_ptr<Matcher> make_cpu_matcher(const RoomOptions& options) {
  const GramSteps shape = choose_shape(options.patterns, options.queries, kCpuCosts, options.tuning);
  return std::make_unique<ScanMatcher<Index>>(options, Index(options.patterns, options.queries, shape),
                                              qgrams_scan_for(options.isa));
}

}  // namespace

cuda::MakeKernel make_cuda_kernel;  // cuda.cu

extern const Room kRoom{
    .name = "qgrams",
    .algorithm = Algorithm::qgrams,
    .finds = Finds::starts,
    .cpu_loop = CpuLoop::per_isa,
    .decline = decline_sets,
    .make_cpu_matcher = make_cpu_matcher,
    .make_cuda_kernel = BASESWEEP_IF_CUDA(make_cuda_kernel),
    .nanoseconds = nanoseconds,
};

}  // namespace basesweep::qgrams
