#include "kernels/cuda/bench.hpp"
#include "kernels/cuda/cuda.hpp"
#include "kernels/cuda/describe.hpp"
#include "lib/error.hpp"

namespace basesweep::cuda {

std::optional<std::string> unusable_reason(int) { return "this basesweep was built without CUDA"; }

std::unique_ptr<Matcher> make_matcher(Algorithm, const RoomOptions&) { throw DeviceError(*unusable_reason(0)); }

std::unique_ptr<Finder> make_finder(const PackedBatch&, const FinderOptions&) {
  throw DeviceError(*unusable_reason(0));
}

CudaInfo describe() { return {}; }

std::string gpu_name(int) { throw DeviceError(*unusable_reason(0)); }

KernelTiming time_read(int, std::uint32_t, int) { throw DeviceError(*unusable_reason(0)); }

KernelTiming time_kernel(Algorithm, const RoomOptions&, const KernelText&, int) {
  throw DeviceError(*unusable_reason(0));
}

}  // namespace basesweep::cuda
