// Starts GPUs before they are needed. Defined in kernels/registry.
#pragma once

#include <future>

#include "lib/search/device.hpp"

namespace basesweep {

// Starts the GPUs in a thread, which the future waits for: that takes some 0.3 s, in which inputs can be read. A GPU
// that cannot be used is reported later, when a search asks for it. Does nothing for a device that is not Device::gpu,
// or where there is no GPU.
std::future<void> start_early(const DeviceChoice& choice);

}  // namespace basesweep
