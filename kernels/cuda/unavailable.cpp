#include "kernels/cuda/bench.hpp"
#include "kernels/cuda/cuda.hpp"
#include "kernels/cuda/describe.hpp"
#include "lib/base/error.hpp"

namespace basesweep::cuda {

std::optional<std::string> unusable_reason(int) { return "this basesweep was built without CUDA"; }
std::optional<std::string> absent_reason() { return unusable_reason(0); }
int gpu_count() { return 0; }

std::unique_ptr<Matcher> make_matcher(const Room&, const RoomOptions&) { throw DeviceError(*unusable_reason(0)); }
std::unique_ptr<Matcher> make_matcher(const MatrixRoom&, const MatrixRoomOptions&) {
  throw DeviceError(*unusable_reason(0));
}

// NOLINTNEXTLINE(performance-unnecessary-value-param): with CUDA make_finder() keeps the verifiers
std::unique_ptr<Finder> make_finder(const PackedBatch&, const FinderOptions&, int, Verifiers) {
  throw DeviceError(*unusable_reason(0));
}

std::unique_ptr<GuideFinder> make_guide_finder(const GuideSet&, GuideWay, int) {
  throw DeviceError(*unusable_reason(0));
}

// NOLINTNEXTLINE(performance-unnecessary-value-param): with CUDA make_guide_join() keeps the numbers
std::unique_ptr<GuideJoin> make_guide_join(std::vector<int>, const buckets::JoinSettings&) {
  throw DeviceError(*unusable_reason(0));
}

std::unique_ptr<BarcodeScorer> make_barcode_scorer(const FlankedBarcodes&, int) {
  throw DeviceError(*unusable_reason(0));
}

CudaInfo describe() { return {}; }

std::string gpu_name(int) { throw DeviceError(*unusable_reason(0)); }

ChipSpeed chip_speed(int) { throw DeviceError(*unusable_reason(0)); }

KernelTiming time_read(int, std::uint32_t, int) { throw DeviceError(*unusable_reason(0)); }

KernelTiming time_kernel(const Room&, const RoomOptions&, const KernelText&, int) {
  throw DeviceError(*unusable_reason(0));
}
KernelTiming time_kernel(const MatrixRoom&, const MatrixRoomOptions&, const KernelText&, int) {
  throw DeviceError(*unusable_reason(0));
}
double time_making(const Room&, const RoomOptions&, int) { throw DeviceError(*unusable_reason(0)); }
KernelTiming time_windows(const Room&, const WindowBench&, int, int) { throw DeviceError(*unusable_reason(0)); }

}  // namespace basesweep::cuda
