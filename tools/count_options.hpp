// The options of `count`, its help, and the checks that come before any work.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "lib/counting/guide_lookup.hpp"
#include "lib/counting/library.hpp"
#include "tools/option_table.hpp"
#include "tools/reads_options.hpp"

namespace basesweep {

inline constexpr std::array kCountFormats{OutputFormat::tsv, OutputFormat::csv, OutputFormat::mageck};

struct CountOptions : ReadsOptions {
  CountOptions() { output = "-"; }

  std::string library;
  EqualSequences equal = EqualSequences::refused;
  std::optional<std::uint32_t> edits;
  std::optional<std::uint32_t> mismatches;
  StrandChoice strand = StrandChoice::plus;
  std::string at;                       // as given; check_count_options() sets `window`
  std::optional<StartWindow> window;    // nothing: it is found from the first reads
  std::vector<std::string> structures;  // of each mate, or one geometry
  std::uint32_t mate = 1;               // that holds the guides of pairs
  std::vector<std::string> samples;
  std::string samples_file;
  std::string summary;

  // The files that hold guides; of pairs, those of one mate.
  const std::vector<std::string>& guide_files() const {
    return first_mates.empty() ? inputs : mate == 2 ? second_mates : first_mates;
  }
  GuideLookupOptions lookup() const {
    return {.edits = edits ? *edits : mismatches.value_or(1), .indels = edits.has_value(), .strands = strand};
  }
};

Help count_help();
// The options that affect what is counted.
OptionTable<CountOptions> count_options();
void add_count_options(CLI::App& command, CountOptions& options);

// Throws UsageError if options conflict or a file is read and written. Without reads, makes stdin the reads.
void check_count_options(CountOptions& options);

}  // namespace basesweep
