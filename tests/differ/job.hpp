// A job of the differential runs: a text, patterns and options, made at random from a seed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "lib/oracle/approximate.hpp"
#include "lib/oracle/trial/random.hpp"
#include "lib/search/edit_options.hpp"
#include "lib/search/pattern_set.hpp"
#include "tests/support/regions.hpp"

namespace differ {

// small: a few hundred letters, also for the plain oracle. medium: many patterns and some thousand letters. wide: the
// same for a GPU, with more of both. large: more than 8 MB, so that batches are as large as they are for users.
enum class Size { small, medium, wide, large };

struct Job {
  bool approximate = false;
  // Exact search uses question.exact alone.
  oracle::ApproximateQuestion question{};
  basesweep::EditOptions edits{};
  std::vector<basesweep::Pattern> patterns{};  // of the question, named p0, p1 and so on; some with limits of their own
  bool non_overlapping = false;
  std::optional<std::uint64_t> max_hits{};
  support::Regions regions{};  // empty: everything
  bool planned = false;        // the regions come from a plan
};

Job random_job(trial::Random& random, Size size);

// The same job without some of its records or patterns; `keep` has one element for each.
Job with_records(const Job& job, const std::vector<bool>& keep);
Job with_patterns(const Job& job, const std::vector<bool>& keep);

basesweep::PatternSet pattern_set(const Job& job);
std::size_t bases(const Job& job);
// How many of the job's patterns and strands are searched: its cases.
std::size_t cases(const Job& job);

// The options of `basesweep motif` or `basesweep match` for this job, without files and without the next ones.
std::string search_options(const Job& job);
// The options that choose among hits, which `merge` takes too.
std::string choice_options(const Job& job);
// The patterns as a table for --pattern-file.
std::string pattern_table(const Job& job);

}  // namespace differ
