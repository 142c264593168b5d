#include "kernels/approximate/pigeonhole/index.hpp"
#include "kernels/approximate/pigeonhole/scan.hpp"
#include "kernels/cpu/cpu_matcher.hpp"
#include "kernels/room.hpp"

namespace basesweep::pigeonhole {
void verify_alone(const IndexView& index, std::uint32_t slot, const PackedView& text, VerifyWindow window,
                  OccurrenceSink& sink) {
  verify_window(index.queries[slot], index.blocks, text.lo, text.hi, window.begin, window.first, window.end,
                [&](std::uint32_t position) { sink.send(position, index.ids[slot]); });
}

namespace {

std::unique_ptr<Matcher> make_cpu_matcher(const RoomOptions& options) {
  return std::make_unique<ScanMatcher<Index>>(options, Index(options.patterns, options.queries),
                                              pigeonhole_scan_for(options.isa));
}

}  // namespace

cuda::MakeKernel make_cuda_kernel;  // cuda.cu

extern const Room kRoom{
    .name = "pigeonhole",
    .algorithm = Algorithm::pigeonhole,
    .finds = Finds::ends,
    .cpu_loop = CpuLoop::per_isa,
    .decline = unfit,
    .make_cpu_matcher = make_cpu_matcher,
    .make_cuda_kernel = BASESWEEP_IF_CUDA(make_cuda_kernel),
};

}  // namespace basesweep::pigeonhole
