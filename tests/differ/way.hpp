// A way to run a job. No answer may depend on it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "lib/oracle/trial/batches.hpp"
#include "tests/differ/job.hpp"
#include "tests/support/environment.hpp"
#include "tests/support/files.hpp"

namespace differ {

struct Way {
  std::uint64_t target = 0;  // chooses one of the targets
  int threads = 1;
  std::size_t block_bytes = 1;
  std::uint32_t batch_positions = 0;  // 0: as the matcher wants
  std::optional<std::size_t> waiting_bytes{};
  bool counts = false;       // compare counts instead of hits
  std::uint32_t chunks = 0;  // of a plan; 0: one run
  bool file = false;         // the text comes from a file instead of memory
  support::Packing packing = support::Packing::plain;
  trial::Cuts lines{};  // of the file
  // For the program only:
  std::string format = "tsv";  // of its table
  bool late = false;           // `merge` gets the format and the choice of hits, which the chunks are not given
};

Way random_way(trial::Random& random, const Job& job, Size size);

// A hit as the program and the oracle give it, and one number for each count.
struct Answer {
  std::int64_t record = 0, start = 0, end = 0;
  std::size_t pattern = 0;
  char strand = '+';
  std::size_t edits = 0, indels = 0;
  std::size_t first = 0, last = 0;    // the part of the pattern inside of the record
  std::size_t best = 0;               // with best_per_record
  std::optional<std::size_t> next{};  // the same
  std::uint64_t count = 0;            // of a pattern and strand
  bool operator==(const Answer&) const = default;
};
using Answers = std::vector<Answer>;
std::string to_string(const Answers& answers);

// The oracle's answer: all hits that start in the regions, and those that remain after the choice among all of them.
struct Expected {
  Answers all;
  Answers chosen;
  Answers counts;  // of the chosen
};

// Asks the fast oracle; nothing when there are more than `most` hits. `plain`: asks the plain oracle.
std::optional<Expected> expected_answers(const Job& job, std::size_t most, bool plain);
const Answers& answers_of(const Expected& expected, const Way& way);

// The target of a way for this job, of those on `device`.
const support::Target& target_of(const Job& job, const Way& way);

// Runs the job. Throws what the library throws, UsageError when the algorithm declines the patterns.
Answers run(const Job& job, const Way& way, const std::string& folder);

// Compares the texts and CIGARs that come with some hits with those of the plain oracle; "" when they are equal.
std::string check_texts(const Job& job, const Way& way);

}  // namespace differ
