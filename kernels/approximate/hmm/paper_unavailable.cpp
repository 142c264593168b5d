#include "kernels/approximate/hmm/paper.hpp"
#include "kernels/cuda/cuda.hpp"
#include "lib/base/error.hpp"

namespace basesweep::hmm {

PaperResult run_paper(std::span<const BaseSet>, const PaperText&, std::uint32_t, int gpu, int, PaperKernel) {
  throw DeviceError(*cuda::unusable_reason(gpu));
}

}  // namespace basesweep::hmm
