// The GPU side as make_matcher() sees it: available.cu in builds with CUDA, unavailable.cpp in others.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "kernels/room.hpp"
#include "lib/finder.hpp"

namespace basesweep::cuda {

// Why GPU `index` cannot be used (no driver, no such device, built without CUDA, no code for its architecture), or
// nothing. Starts the driver, which can take a good part of a second.
std::optional<std::string> unusable_reason(int index);

// Throws DeviceError.
std::unique_ptr<Matcher> make_matcher(Algorithm algorithm, const RoomOptions& options);

// As basesweep::make_finder() on FinderOptions::gpu, which is usable. Throws DeviceError, also where the GPU's memory
// does not suffice for the reference.
std::unique_ptr<Finder> make_finder(const PackedBatch& reference, const FinderOptions& options);

}  // namespace basesweep::cuda
