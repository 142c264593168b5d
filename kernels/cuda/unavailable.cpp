#include "kernels/cuda/cuda.hpp"
#include "lib/error.hpp"

namespace basesweep::cuda {

std::optional<std::string> unusable_reason(int) { return "this basesweep was built without CUDA"; }

std::unique_ptr<Matcher> make_matcher(Algorithm, const RoomOptions&) { throw DeviceError(*unusable_reason(0)); }

}  // namespace basesweep::cuda
