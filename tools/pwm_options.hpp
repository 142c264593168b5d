// The options of `pwm`.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "lib/matrices/matrix_matcher.hpp"
#include "lib/rows/matrix_table.hpp"
#include "tools/search_options.hpp"

namespace basesweep {

struct PwmJobOptions {
  SearchJobOptions search;  // pattern files are files of matrices
  std::optional<MatrixFormat> matrix_format;
  std::vector<std::string> names;  // of --names, each with commas
  std::string p_value;             // as they are given; "": not given
  std::string score;
  std::string relative;
  std::string background;
  std::string pseudocount_text;  // as it is given
  double pseudocount = Scoring().pseudocount;
  bool best_per_record = false;
  std::optional<TableCell> table;
  bool per_region = false;
  bool thresholds = false;
  MatrixAlgorithm algorithm = MatrixAlgorithm::automatic;

  std::optional<Threshold> threshold{};  // the one of three that is given; settle() sets it
};

// The options that affect what is found and how it is shown.
OptionTable<PwmJobOptions> pwm_options();
void add_pwm_options(CLI::App& command, PwmJobOptions& options);
Help pwm_help();

// Sets the threshold, and throws UsageError if options conflict. Without inputs, makes stdin the input.
// `merges`: parts are merged, which hold the matrices.
void settle(PwmJobOptions& options, bool merges);

}  // namespace basesweep
