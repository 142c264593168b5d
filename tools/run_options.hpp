// The options that every command which reads and writes has, and what is checked of them before any work.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "lib/align/resolver.hpp"
#include "lib/matcher.hpp"
#include "lib/pipeline/progress.hpp"

namespace basesweep {

struct RunOptions {
  std::string output = "-";
  std::string json;
  int threads = 0;
  std::string device = "auto";
  Algorithm algorithm = Algorithm::automatic;
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

// --strand, and the words of it and of --report.
void add_strand_option(CLI::App& command, StrandChoice& strand, const std::string& help);
const char* word_of(StrandChoice strand);
const char* word_of(Report report);
// The word of a value in a list of choices.
template <class Choices, class T>
const char* word_in(const Choices& choices, T value) {
  for (const auto& [word, meaning] : choices) {
    if (meaning == value) return word;
  }
  return "";
}

// What to say of a text that is no whole number of at least `least`; "" when it is one.
std::string refuse_number(const std::string& text, std::uint64_t least);

// Whether both are one regular file.
bool same_input(const std::string& a, const std::string& b);

// What to say of a file name that is empty.
std::string refuse_empty(const std::string& name);

// -k and -e, of which check_edits() wants exactly one. `noun`: what has edits ("primer").
void add_edit_options(CLI::App& command, const std::string& noun, std::optional<std::uint32_t>& edits,
                      std::optional<double>& rate);
void check_edits(const std::optional<std::uint32_t>& edits, const std::optional<double>& rate);
// A number of edits or the like, from 0.
void add_edits(CLI::App& command, const std::string& name, std::optional<std::uint32_t>& value,
               const std::string& help);

// How SAM and its kin are written.
struct SamChoices {
  bool distinguish = false;
  bool no_program = false;
  std::string read_group;
};
void add_sam_options(CLI::App& command, SamChoices& choices, const std::string& noun);

void add_threads_option(CLI::App& command, int& threads, const std::string& help);
void add_device_option(CLI::App& command, std::string& device, const std::string& help);

// `algorithms`: those --algorithm may name, besides auto.
void add_run_options(CLI::App& command, RunOptions& options, const std::vector<Algorithm>& algorithms);

// Options that conflict, a device that is none, files of `read` that are written or stdin twice: throws UsageError.
void check_run_options(const RunOptions& options, const std::vector<std::string>& read);

// Throws UsageError where stdin is to be read and is a terminal.
void check_stdin(const std::string& command);

// Threads that the options ask for.
int worker_threads(const RunOptions& options);
// Tell the user of a warning unless --quiet, of other things with --verbose.
std::function<void(const std::string&)> warner(const RunOptions& options);
std::function<void(const std::string&)> teller(const RunOptions& options);
// Shows progress with --progress, as long as it lives.
void start_meter(const RunOptions& options, const ProgressCounts& counts, std::optional<std::int64_t> text_bytes,
                 std::optional<ProgressMeter>& meter);

}  // namespace basesweep
