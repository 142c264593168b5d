#include "tools/mate_input.hpp"

#include <fmt/format.h>

#include <set>

#include "lib/base/error.hpp"
#include "tools/run_options.hpp"

namespace basesweep {

void add_mate_options(CLI::App& command, MateInput& input, const std::string& more) {
  add_texts(command, "-1,--reads1", "FILE", input.first_mates, "First mates of read pairs; may be repeated",
            {.empty_value = true, .kept = false});
  add_texts(command, "-2,--reads2", "FILE", input.second_mates, "Second mates, in the same order; may be repeated",
            {.empty_value = true, .kept = false});
  add_flag(command, "--interleaved", input.interleaved, "Consecutive reads are mates" + more);
}

void check_mates(const MateInput& input, const std::vector<std::string>& inputs) {
  if (input.first_mates.size() != input.second_mates.size())
    throw UsageError(fmt::format("-1 and -2 need the same number of files: {} and {} are given",
                                 input.first_mates.size(), input.second_mates.size()));
  std::set<FileIdentity> seconds;
  for (const std::string& second : input.second_mates) {
    if (const auto identity = identity_of_input(second)) seconds.insert(*identity);
  }
  for (const std::string& first : input.first_mates) {
    const auto identity = identity_of_input(first);
    if (identity && seconds.count(*identity) != 0) {
      throw UsageError(
          fmt::format("{}: given with both -1 and -2; if it holds both mates of its pairs, use --interleaved", first));
    }
  }
  if (input.first_mates.empty()) return;
  if (!inputs.empty()) {
    throw UsageError(
        fmt::format("give reads either with -1 and -2 or as arguments, not both: '{}' is an argument, since -1 and -2 "
                    "take one file each time (a pattern of the shell gives several; this names all: $(printf -- '-1 %s "
                    "' *_1.fq))",
                    inputs.front()));
  }
  if (input.interleaved) throw UsageError("--interleaved conflicts with -1 and -2");
}

std::vector<std::string> files_of(const MateInput& input) {
  std::vector<std::string> files = input.first_mates;
  files.insert(files.end(), input.second_mates.begin(), input.second_mates.end());
  return files;
}

}  // namespace basesweep
