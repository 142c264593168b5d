// What `auto` takes on this machine for tasks as they usually come.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace basesweep {

struct Choice {
  std::string command;  // "motif"
  std::string task;     // "100 motifs of 12"
  std::int64_t bases;   // of text; of `map` of the reference
  std::string device;   // "cpu", "gpu"
  std::string device_reason;
  std::string algorithm;  // "planes"; "planes and qgrams"; of `map` where candidates come from and what verifies them
  std::string algorithm_reason;
};

// For so many threads, and GPU `gpu` where the GPU is taken. Searches nothing.
std::vector<Choice> automatic_choices(int threads, int gpu);

}  // namespace basesweep
