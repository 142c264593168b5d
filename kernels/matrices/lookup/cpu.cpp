#include "kernels/cpu/cpu_matcher.hpp"
#include "kernels/matrices/lookup/index.hpp"
#include "kernels/matrices/lookup/scan.hpp"
#include "kernels/matrices/room.hpp"

namespace basesweep::lookup {
namespace {

std::unique_ptr<Matcher> make_cpu_matcher(const MatrixRoomOptions& options) {
  return std::make_unique<ScanMatcher<Index>>(options.common, Index(options.matrices, options.queries),
                                              lookup_scan_for(options.common.isa));
}

}  // namespace

cuda::MakeMatrixKernel make_cuda_kernel;  // cuda.cu

extern const MatrixRoom kRoom{
    .name = "lookup",
    .algorithm = MatrixAlgorithm::lookup,
    .make_cpu_matcher = make_cpu_matcher,
    .make_cuda_kernel = BASESWEEP_IF_CUDA(make_cuda_kernel),
};

}  // namespace basesweep::lookup
