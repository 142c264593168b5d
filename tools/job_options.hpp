// The options that all commands which search have.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "lib/rows/column.hpp"
#include "tools/alignment_input.hpp"
#include "tools/run_options.hpp"
#include "tools/scope.hpp"

namespace basesweep {

struct JobOptions : RunOptions {
  std::vector<std::string> inputs;  // of `map`: reads
  AlignmentInput alignments;
  RegionOptions regions;  // of the input; of `map`: of the reference
  ChunkOptions chunk;     // of the input
  ShownColumns shown;     // --columns, and the options that add some
  // Whether the command line gives this option ("--strand").
  std::function<bool(const std::string& option)> is_given = [](const std::string&) { return false; };

  bool is_chunk() const { return !chunk.chunk.empty(); }
};

}  // namespace basesweep
