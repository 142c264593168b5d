// What `motif` and `match` have in common: their options, and what is checked before any work.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "lib/matcher.hpp"
#include "lib/pattern_set.hpp"

namespace basesweep {

struct SearchOptions {
  std::vector<std::string> inputs;
  std::vector<std::string> patterns;
  std::vector<std::string> pattern_files;
  StrandChoice strand = StrandChoice::both;
  PalindromeChoice palindromes = PalindromeChoice::once;
  bool skip_soft_masked = false;
  bool non_overlapping = false;
  std::optional<std::uint64_t> max_hits;
  bool count = false;
  std::string output = "-";
  std::string json;
  int threads = 0;
  std::string device = "auto";
  Algorithm algorithm = Algorithm::automatic;
  std::uint32_t batch_columns = 0;
  bool progress = false;
  bool quiet = false;
  bool verbose = false;
};

// An option whose value is one of a few words.
template <class T>
void add_choice(CLI::App& command, const std::string& name, T& value,
                const std::vector<std::pair<std::string, T>>& choices, const std::string& help) {
  std::string words;
  for (const auto& [word, meaning] : choices) words += (words.empty() ? "" : "|") + word;
  const auto take = [&value, choices](const std::string& text) {
    for (const auto& [word, meaning] : choices) {
      if (word == text) value = meaning;
    }
  };
  const auto refuse = [choices, words](const std::string& text) {
    for (const auto& [word, meaning] : choices) {
      if (word == text) return std::string();
    }
    return "'" + text + "' is none of " + words;
  };
  command.add_option_function<std::string>(name, take, help)->check(refuse)->type_name(words);
}

// What to say of a text that is no whole number of at least `least`; "" when it is one.
std::string refuse_number(const std::string& text, std::uint64_t least);

// `noun`: what the command calls a pattern ("motif"); `algorithms`: those --algorithm may name, besides auto.
void add_search_options(CLI::App& command, SearchOptions& options, const std::string& noun,
                        const std::vector<Algorithm>& algorithms);

// Options that conflict, no input, files that are read and written: throws UsageError. Fills in stdin as the input.
void check_search_options(SearchOptions& options, const std::string& command);

// The patterns of all -f, then of all -p. Throws UsageError when there are none, DataError and IoError of the files.
std::vector<Pattern> collect_patterns(const SearchOptions& options);

}  // namespace basesweep
