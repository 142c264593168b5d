// The GPU side as the registry sees it. Builds with CUDA link available.cu, others unavailable.cpp.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "kernels/guides/join_settings.hpp"
#include "kernels/matrices/room.hpp"
#include "kernels/room.hpp"
#include "lib/guides/guide_finder.hpp"
#include "lib/guides/guide_join.hpp"
#include "lib/search/barcode_scorer.hpp"
#include "lib/search/finder.hpp"

namespace basesweep::cuda {

// Why GPU `index` cannot be used (no driver, no such device, built without CUDA, no code for its architecture), or
// nothing. Starts the driver, which can take a good part of a second.
std::optional<std::string> unusable_reason(int index);

// Why there can be no GPU, found without starting the driver, or nothing.
std::optional<std::string> absent_reason();

// How many GPUs CUDA shows; 0 also if the driver cannot be started.
int gpu_count();

// CudaMatcher's slots.
inline constexpr int kMatcherSlots = 3;

// A matcher on GPU options.gpu. Throws DeviceError.
std::unique_ptr<Matcher> make_matcher(const Room& room, const RoomOptions& options);
// The same on GPU options.common.gpu.
std::unique_ptr<Matcher> make_matcher(const MatrixRoom& room, const MatrixRoomOptions& options);

// The rooms that verify windows on a GPU.
struct Verifiers {
  std::string name;  // "myers", or the names of those that `auto` takes
  // The room's function for `windows` windows of queries that have `words` words of 64 positions each. `narrow`: most
  // windows have at most an eighth of the query's positions.
  std::function<VerifyWindows*(std::uint32_t windows, std::uint32_t words, bool narrow)> choose;
};

// Makes the finder of basesweep::make_finder() on GPU number `gpu`, which must be usable. Throws DeviceError, also if
// the reference does not fit in the GPU's memory.
std::unique_ptr<Finder> make_finder(const PackedBatch& reference, const FinderOptions& options, int gpu,
                                    Verifiers verifiers);

// Finds guides on GPU number `gpu`, which must be usable. Throws std::system_error.
std::unique_ptr<GuideFinder> make_guide_finder(const GuideSet& guides, GuideWay way, int gpu);

// Joins a text with itself on the GPUs of these numbers, which must be usable. Its join() throws DeviceError.
std::unique_ptr<GuideJoin> make_guide_join(std::vector<int> gpus, const buckets::JoinSettings& settings = {});

// Scores barcodes on GPU number `gpu`, which must be usable. Throws DeviceError, and so does its score().
std::unique_ptr<BarcodeScorer> make_barcode_scorer(const FlankedBarcodes& patterns, int gpu);

}  // namespace basesweep::cuda
