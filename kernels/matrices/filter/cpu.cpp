#include "kernels/cpu/cpu_matcher.hpp"
#include "kernels/matrices/filter/index.hpp"
#include "kernels/matrices/filter/scan.hpp"
#include "kernels/matrices/room.hpp"

namespace basesweep::filter {
namespace {

std::unique_ptr<Matcher> make_cpu_matcher(const MatrixRoomOptions& options) {
  return std::make_unique<ScanMatcher<Index>>(options.common,
                                              Index(options.matrices, options.queries, options.common.tuning.block),
                                              filter_scan_for(options.common.isa));
}

}  // namespace

cuda::MakeMatrixKernel make_cuda_kernel;  // cuda.cu

extern const MatrixRoom kRoom{
    .name = "filter",
    .algorithm = MatrixAlgorithm::filter,
    .make_cpu_matcher = make_cpu_matcher,
    .make_cuda_kernel = BASESWEEP_IF_CUDA(make_cuda_kernel),
};

}  // namespace basesweep::filter
