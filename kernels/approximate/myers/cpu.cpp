#include <fmt/format.h>

#include "kernels/approximate/myers/scan.hpp"
#include "kernels/cpu/cpu_matcher.hpp"
#include "kernels/cpu/window_scan.hpp"
#include "kernels/room.hpp"

namespace basesweep {

BASESWEEP_PER_ISA(MakeWindowScan, myers_windows)

namespace myers {
namespace {

std::optional<std::string> decline(const Query& query) {
  if (query.sets.size() > kMaxVerifyLength) return fmt::format("is longer than {} bases", kMaxVerifyLength);
  return std::nullopt;
}

std::unique_ptr<Matcher> make_cpu_matcher(const RoomOptions& options) {
  return std::make_unique<ScanMatcher<Index>>(options, Index(options.patterns, options.queries),
                                              myers_scan_for(options.isa));
}

}  // namespace

cuda::MakeKernel make_cuda_kernel;   // cuda.cu
cuda::VerifyWindows verify_windows;  // windows.cu

extern const Room kRoom{
    .name = "myers",
    .algorithm = Algorithm::myers,
    .finds = Finds::ends,
    .cpu_loop = CpuLoop::per_isa,
    .decline = decline,
    .make_cpu_matcher = make_cpu_matcher,
    .make_cuda_kernel = BASESWEEP_IF_CUDA(make_cuda_kernel),
    .window_scan = [](Isa isa) { return myers_windows_for(isa)(); },
    .verify_windows = BASESWEEP_IF_CUDA(verify_windows),
};

}  // namespace myers
}  // namespace basesweep
