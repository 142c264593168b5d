// The options of `trim`, its help, and the checks that come before any work.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "lib/trim/trim_settings.hpp"
#include "tools/option_table.hpp"
#include "tools/reads_options.hpp"
#include "tools/trim_primers.hpp"

namespace basesweep {

struct TrimArguments : ReadsOptions {
  // The adapters of first mates and of second mates, in the order of the command line.
  std::vector<std::pair<AdapterKind, std::string>> adapters[2];
  std::optional<bool> by_overlap;  // nothing: of pairs without adapters
  double errors = 0.1;
  std::uint32_t overlap = 3;
  bool no_indels = false;
  std::uint32_t times = 1;
  AdapterAction action = AdapterAction::trim;
  bool revcomp = false;
  bool pair_adapters = false;
  bool read_wildcards = false;
  PrimerArguments primers;

  std::vector<std::string> cuts[2];
  std::optional<std::uint32_t> nextseq;
  std::string quality[2];
  std::uint32_t quality_base = 33;
  bool poly_a = false;
  std::string length[2];
  bool trim_n = false;

  std::string min_length;
  std::string max_length;
  std::string max_n;
  std::string max_errors;
  std::string max_error_rate;
  bool discard_trimmed = false;
  bool discard_untrimmed = false;
  PairFilter pair_filter = PairFilter::any;

  // Files, each of first and of second mates.
  std::string second_output;
  std::string untrimmed[2];
  std::string too_short[2];
  std::string too_long[2];
  std::string table;

  bool has_adapters() const { return !adapters[0].empty() || !adapters[1].empty(); }
};

Help trim_help();
// The options that affect what is written.
OptionTable<TrimArguments> trim_options();
void add_trim_options(CLI::App& command, TrimArguments& arguments);

// Throws UsageError if options conflict or a file is read and written. Two inputs become mates if an option says that
// reads are pairs. Without reads, makes stdin the reads.
void check_trim_options(TrimArguments& arguments);

// Whether there are options that only pairs can have.
bool has_options_of_pairs(const TrimArguments& arguments);

// The settings that the options give, without adapters. `paired`: reads are pairs. Throws UsageError for a value that
// cannot be read and for options that need pairs.
TrimSettings trim_settings(const TrimArguments& arguments, bool paired);

}  // namespace basesweep
