// CPU or GPU, where the user leaves that open.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "lib/finder.hpp"
#include "lib/matcher.hpp"

namespace basesweep {

// The device asked for; for `automatic` the GPU `gpu` when it is usable and the CPU is expected to take longer than a
// GPU needs to start. `cpu_seconds`: of all threads together; nothing: not known. `whose` ends what is said of it,
// where it is not the time of what will run. `log` is told why. Throws DeviceError when the GPU is asked for and not
// usable.
Device choose_device(Device asked, int gpu, std::optional<double> cpu_seconds,
                     const std::function<void(const std::string&)>& log, const std::string& whose = "");

// What make_finder() takes for a reference of so many columns. options.log is told why.
Device choose_device(std::int64_t columns, const FinderOptions& options);

// What verifies the candidates of reads there, each what it is the fastest for.
const char* automatic_verifiers(Device device);

}  // namespace basesweep
