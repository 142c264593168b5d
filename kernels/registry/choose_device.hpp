// Chooses CPU or GPU, when the user leaves that open.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "lib/search/finder.hpp"
#include "lib/search/matcher.hpp"

namespace basesweep {

// Returns the requested device. `automatic` becomes the GPU number `gpu` if that is usable and the CPU is expected to
// take longer than a GPU needs to start. `cpu_seconds`: the time expected for all CPU threads together; nothing if it
// is not known. `note`: added to the message about that time, if it is not the time of what will run. Logs the reason
// to `log`. Throws DeviceError if the GPU is requested and not usable.
Device choose_device(Device requested, int gpu, std::optional<double> cpu_seconds,
                     const std::function<void(const std::string&)>& log, const std::string& note = "");

// The device that make_finder() takes for a reference of this many positions. Logs the reason to options.log.
Device choose_device(std::int64_t positions, const FinderOptions& options);

}  // namespace basesweep
