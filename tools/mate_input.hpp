// The options of commands whose input may be pairs of reads.
#pragma once

#include <string>
#include <vector>

#include "tools/options.hpp"

namespace basesweep {

struct MateInput {
  std::vector<std::string> first_mates;
  std::vector<std::string> second_mates;
  bool interleaved = false;
};

// Adds -1, -2 and --interleaved. `more`: what else the help of the last one says.
void add_mate_options(CLI::App& command, MateInput& input, const std::string& more = "");

// Throws UsageError if the options conflict with each other or with `inputs`, which are given without an option.
void check_mates(const MateInput& input, const std::vector<std::string>& inputs);

// The files of first mates, then those of second mates.
std::vector<std::string> files_of(const MateInput& input);

}  // namespace basesweep
