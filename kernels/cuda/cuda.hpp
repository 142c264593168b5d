// The GPU side as make_matcher() sees it: available.cu in builds with CUDA, unavailable.cpp in others.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "kernels/room.hpp"

namespace basesweep::cuda {

// Why GPU `index` cannot be used (no driver, no such device, built without CUDA, no code for its architecture), or
// nothing. Starts the driver, which can take a good part of a second.
std::optional<std::string> unusable_reason(int index);

// Throws DeviceError.
std::unique_ptr<Matcher> make_matcher(Algorithm algorithm, const RoomOptions& options);

}  // namespace basesweep::cuda
