// Options that commands of text and of reads share.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "lib/search/edit_limits.hpp"
#include "tools/job_options.hpp"
#include "tools/option_table.hpp"

namespace basesweep {

// Lets the options know what the command line gives.
void keep_words(CLI::App& command, JobOptions& options);

// `noun`: what has the edits ("primer"). `limits`: some of kEditLimits.
OptionTable<EditOptions> edit_options(const std::string& noun, std::span<const EditLimit> limits);
inline constexpr std::span kEditsOnly = std::span(kEditLimits).first<2>();
inline constexpr std::span kWithoutOverhangs = std::span(kEditLimits).first<8>();
void add_mismatches_option(CLI::App& command, std::optional<std::uint32_t>& mismatches);

// `noun`: what has a line of its own ("read").
OptionTable<SamChoices> sam_options(const std::string& noun);

// `algorithms`: those that --algorithm takes besides auto.
template <class T>
void add_algorithm_option(CLI::App& command, T& algorithm, const std::vector<T>& algorithms) {
  begin_group(command, group::kRunning);
  std::vector<std::pair<std::string, T>> choices{{"auto", T::automatic}};
  for (const T one : algorithms) choices.emplace_back(to_string(one), one);
  add_choice<T>(command, "--algorithm", algorithm, choices, "Search algorithm (default: auto)");
}

// `what`: "Strands to search"; `usual`: the word of the strands that are searched without it.
template <class Options>
OptionTable<Options> strand_option(StrandChoice Options::*strand, const std::string& what,
                                   const std::string& usual = "both") {
  return TableMaker<Options>()
      .choice("--strand", strand,
              std::vector<std::pair<std::string, StrandChoice>>{
                  {"both", StrandChoice::both}, {"plus", StrandChoice::plus}, {"minus", StrandChoice::minus}},
              what + " (default: " + usual + "); + and - are short for plus and minus",
              {.aliases = {{"+", "plus"}, {"-", "minus"}}})
      .reported("strand")
      .in_program()
      .take();
}

}  // namespace basesweep
