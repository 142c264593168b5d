// Chooses CPU or GPU, when the user leaves that open, and checks the GPUs that are named.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "lib/search/finder.hpp"

namespace basesweep {

inline constexpr double kGpuStartSeconds = 0.3;  // measured and rounded, see docs/benchmarks.md

// The numbers of the GPUs: `gpus`, or those of all that CUDA shows if it is empty. Starts them, side by side. Throws
// DeviceError, which names the GPU, unless all are usable.
std::vector<int> usable_gpus(const std::vector<int>& gpus);

// The device that make_finder() takes for a reference of this many positions. `automatic` becomes the first of
// options.gpus if that is usable and the CPU is expected to take longer than a GPU needs to start, and, where a usual
// read is known, longer than the GPU. Logs the reason to options.log.
Device choose_device(std::int64_t positions, const FinderOptions& options);

// CPU or GPU number `gpu`, for a search that one of them does alone: the GPU if it is usable and the CPU, all threads
// together, is expected to take longer than the GPU needs to start. `cpu_seconds`: nothing if it is not known. Logs the
// reason.
Device choose_device(std::optional<double> cpu_seconds, int gpu, const std::function<void(const std::string&)>& log);

// Whether a matcher for `automatic` may share its batches with a GPU. It does not where no GPU can be or the CPU is
// expected to be done before one has started. `cpu_seconds`: the time expected for all CPU threads together; nothing if
// it is not known. `note`: added to the message about that time, if it is not the time of what will run. Logs the
// reason.
bool may_share_with_gpu(std::optional<double> cpu_seconds, const std::function<void(const std::string&)>& log,
                        const std::string& note = "");

}  // namespace basesweep
