// Makes a search's matcher for the devices that the user chose.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "kernels/registry/shared_matcher.hpp"
#include "lib/search/matcher.hpp"
#include "lib/search/searcher_options.hpp"

namespace basesweep {

// A search on either device. Its functions may be called after make_on_devices() has returned.
struct DeviceSearch {
  double cpu_seconds_per_base;  // expected on one CPU thread
  bool cpu_late = false;        // the CPU's tables take so long to build that they should wait, see SharedMatcher
  std::string note{};           // text to add to the expected time of the CPU if something else will run
  std::function<std::unique_ptr<Matcher>()> make_cpu;
  // The matcher of a usable GPU, with its expected seconds per position. Logs the reasons for automatic choices.
  std::function<GpuMatcher(int gpu, const std::function<void(const std::string&)>& log)> make_gpu;
};

// Throws DeviceError when Device::gpu is chosen and a GPU is not usable.
std::unique_ptr<Matcher> make_on_devices(DeviceSearch search, const SearcherOptions& options);

// Whether `automatic` may give batches to a GPU; logs the reason if not. `note`: as DeviceSearch::note.
bool may_share(double cpu_seconds_per_base, const SearcherOptions& options, const std::string& note = "");

}  // namespace basesweep
