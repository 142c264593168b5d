// The choices of `auto` on this machine for some usual tasks.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace basesweep {

struct Choice {
  std::string command;  // "motif"
  std::string task;     // "100 motifs of 12"
  std::int64_t bases;   // bases of the text; for `map`, of the reference
  std::string device;   // "cpu", "gpu", or "both": the CPU, and a GPU when it has started
  std::string device_reason;
  std::string algorithm;  // "planes", "planes and qgrams"; for `map`, the source and the verifier of candidates
  std::string algorithm_reason;
};

// The choices for this number of threads and GPU 0. Searches nothing.
std::vector<Choice> automatic_choices(int threads);

}  // namespace basesweep
