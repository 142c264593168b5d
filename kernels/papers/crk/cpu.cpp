#include "kernels/room.hpp"
#include "kernels/tables/matrices.hpp"

namespace basesweep::crk {

cuda::MakeKernel make_cuda_kernel;  // cuda.cu

extern const Room kRoom{
    .name = "crk",
    .algorithm = Algorithm::crk,
    .finds = Finds::starts,
    .cpu_loop = CpuLoop::one,
    .decline = decline_matrices,
    .make_cpu_matcher = make_matrix_matcher,
    .make_cuda_kernel = BASESWEEP_IF_CUDA(make_cuda_kernel),
};

}  // namespace basesweep::crk
