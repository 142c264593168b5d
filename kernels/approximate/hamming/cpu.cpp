#include <fmt/format.h>

#include "kernels/approximate/hamming/index.hpp"
#include "kernels/approximate/hamming/scan.hpp"
#include "kernels/approximate/verify.hpp"
#include "kernels/cpu/cpu_matcher.hpp"
#include "kernels/room.hpp"

namespace basesweep::hamming {
namespace {

std::optional<std::string> decline(const Query& query) {
  if (query.sets.size() > kMaxVerifyLength) return fmt::format("is longer than {} bases", kMaxVerifyLength);
  if (query.limits.indels != 0) return "allows indels; hamming needs --max-indels 0";
  return std::nullopt;
}

std::unique_ptr<Matcher> make_cpu_matcher(const RoomOptions& options) {
  return std::make_unique<ScanMatcher<Index>>(options, Index(options.patterns, options.queries),
                                              hamming_scan_for(options.isa));
}

}  // namespace

cuda::MakeKernel make_cuda_kernel;  // cuda.cu

extern const Room kRoom{
    .name = "hamming",
    .algorithm = Algorithm::hamming,
    .finds = Finds::ends,
    .cpu_loop = CpuLoop::per_isa,
    .decline = decline,
    .make_cpu_matcher = make_cpu_matcher,
    .make_cuda_kernel = BASESWEEP_IF_CUDA(make_cuda_kernel),
};

}  // namespace basesweep::hamming
