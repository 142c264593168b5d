#include "kernels/cpu/cpu_matcher.hpp"
#include "kernels/papers/drk2s/index.hpp"
#include "kernels/papers/drk2s/scan.hpp"
#include "kernels/room.hpp"

namespace basesweep::drk2s {
namespace {

std::optional<std::string> decline(const Query& query) { return decline_longer(query, kMaxLength); }

std::unique_ptr<Matcher> make_cpu_matcher(const RoomOptions& options) {
  return std::make_unique<ScanMatcher<Index>>(options, Index(options.patterns, options.queries, kCpuGram),
                                              drk2s_scan_for(options.isa));
}

}  // namespace

cuda::MakeKernel make_cuda_kernel;  // cuda.cu

extern const Room kRoom{
    .name = "drk2s",
    .algorithm = Algorithm::drk2s,
    .finds = Finds::starts,
    .cpu_loop = CpuLoop::per_isa,
    .decline = decline,
    .make_cpu_matcher = make_cpu_matcher,
    .make_cuda_kernel = BASESWEEP_IF_CUDA(make_cuda_kernel),
};

}  // namespace basesweep::drk2s
