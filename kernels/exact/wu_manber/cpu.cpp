#include "kernels/cpu/staged_matcher.hpp"
#include "kernels/exact/wu_manber/cost.hpp"
#include "kernels/exact/wu_manber/index.hpp"
#include "kernels/exact/wu_manber/step.hpp"
#include "kernels/room.hpp"

namespace basesweep::wu_manber {
namespace {

std::unique_ptr<Matcher> make_cpu_matcher(const RoomOptions& options) {
  return make_staged_matcher<Scan>(options, Index(options.patterns, options.queries, options.tuning.block, kCpuBlocks));
}

}  // namespace

cuda::MakeKernel make_cuda_kernel;  // cuda.cu

extern const Room kRoom{
    .name = "wu-manber",
    .algorithm = Algorithm::wu_manber,
    .finds = Finds::starts,
    .cpu_loop = CpuLoop::one,
    .decline = decline_sets,
    .make_cpu_matcher = make_cpu_matcher,
    .make_cuda_kernel = BASESWEEP_IF_CUDA(make_cuda_kernel),
    .staged = true,
    .nanoseconds = nanoseconds,
};

}  // namespace basesweep::wu_manber
