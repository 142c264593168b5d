#include "kernels/cpu/staged_matcher.hpp"
#include "kernels/exact/sog/cost.hpp"
#include "kernels/exact/sog/index.hpp"
#include "kernels/exact/sog/step.hpp"
#include "kernels/room.hpp"

namespace basesweep::sog {
namespace {

std::unique_ptr<Matcher> make_cpu_matcher(const RoomOptions& options) {
  return make_staged_matcher<Scan>(options, Index(options.patterns, options.queries, options.tuning.block));
}

}  // namespace

cuda::MakeKernel make_cuda_kernel;  // cuda.cu

extern const Room kRoom{
    .name = "sog",
    .algorithm = Algorithm::sog,
    .finds = Finds::starts,
    .cpu_loop = CpuLoop::one,
    .decline = decline_sets,
    .make_cpu_matcher = make_cpu_matcher,
    .make_cuda_kernel = BASESWEEP_IF_CUDA(make_cuda_kernel),
    .staged = true,
    .nanoseconds = nanoseconds,
};

}  // namespace basesweep::sog
