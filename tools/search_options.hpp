// What `motif` and `match` have in common: their options, and what is checked before any work.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "lib/matcher.hpp"
#include "lib/pattern_set.hpp"
#include "tools/run_options.hpp"
#include "tools/scope.hpp"

namespace basesweep {

struct SearchOptions : RunOptions {
  RegionOptions regions;
  ChunkOptions chunk;
  std::vector<std::string> inputs;
  std::vector<std::string> patterns;
  std::vector<std::string> pattern_files;
  StrandChoice strand = StrandChoice::both;
  PalindromeChoice palindromes = PalindromeChoice::once;
  bool skip_soft_masked = false;
  bool non_overlapping = false;
  std::optional<std::uint64_t> max_hits;
  bool count = false;
  std::uint32_t batch_columns = 0;
};

// `noun`: what the command calls a pattern ("motif"); `algorithms`: those --algorithm may name, besides auto.
void add_search_options(CLI::App& command, SearchOptions& options, const std::string& noun,
                        const std::vector<Algorithm>& algorithms);

// Options that conflict, no input, files that are read and written: throws UsageError. Fills in stdin as the input.
void check_search_options(SearchOptions& options, const std::string& command);

// The patterns of all -f, then of all -p. Throws UsageError when there are none, DataError and IoError of the files.
std::vector<Pattern> collect_patterns(const SearchOptions& options);

}  // namespace basesweep
