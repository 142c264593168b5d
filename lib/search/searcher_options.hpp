// Options that all searchers have: Matcher, Finder, GuideFinder, and matchers for matrices.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "lib/base/isa.hpp"
#include "lib/search/device.hpp"

namespace basesweep {

struct SearcherOptions {
  Device device = Device::automatic;
  std::vector<int> gpus{0};  // for Device::gpu: see DeviceChoice; Device::automatic uses the first
  Isa isa = best_isa();      // of the CPU
  // How many bases the input is expected to hold (Finder: of all reads), if known. Device::automatic weighs the search
  // against the start of a GPU with it; where it is not known, by how long the search has taken.
  std::optional<std::int64_t> expected_bases{};
  int threads = 1;  // threads that will call the searcher; they may build its tables first
  // Called with the reasons for automatic choices.
  std::function<void(const std::string&)> log = [](const std::string&) {};
};

}  // namespace basesweep
