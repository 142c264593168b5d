#include "tests/differ/check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <filesystem>

#include "kernels/registry/tuned.hpp"
#include "lib/base/error.hpp"
#include "lib/oracle/trial/batches.hpp"
#include "tests/differ/fast_search.hpp"
#include "tests/differ/program.hpp"

namespace differ {

using namespace basesweep;
using trial::Random;

std::int64_t planted_fault = 0;
std::string program;

namespace {

// Spreads seeds (the finalizer of splitmix64), since neighbouring seeds of a generator give similar numbers.
std::uint64_t mixed(std::uint64_t seed, std::uint64_t number, std::uint64_t more) {
  std::uint64_t x = seed + number * 0x9e3779b97f4a7c15U + more * 0xd1342543de82ef95U;
  x = (x ^ x >> 30U) * 0xbf58476d1ce4e5b9U;
  x = (x ^ x >> 27U) * 0x94d049bb133111ebU;
  return x ^ x >> 31U;
}

constexpr std::size_t kMostHits = 400'000;

std::string first_difference(const Answers& found, const Answers& expected) {
  const auto [at, other] = std::mismatch(found.begin(), found.end(), expected.begin(), expected.end());
  return fmt::format("{} answers, expected {}; the first that differs is number {}\nfound     {}expected  {}",
                     found.size(), expected.size(), at - found.begin(),
                     at == found.end() ? "nothing\n" : to_string({*at}),
                     other == expected.end() ? "nothing\n" : to_string({*other}));
}

}  // namespace

Size size_of(std::uint64_t number, bool gpu) {
  if (number % 1000 == 300) return Size::large;
  const std::uint64_t kind = number % 10;
  if (gpu) return kind < 2 ? Size::small : kind < 5 ? Size::medium : Size::wide;
  return kind < 5 ? Size::small : Size::medium;
}

Job make_job(std::uint64_t seed, std::uint64_t number, bool gpu) {
  Random random(mixed(seed, number, 0));
  return random_job(random, size_of(number, gpu));
}

unsigned ways_of(std::uint64_t seed, std::uint64_t number) {
  Random random(mixed(seed, number, 1));
  return random.chance(60) ? 1 : random.chance(60) ? 2 : 3;
}

Trial make_trial(const Job& job, std::uint64_t seed, std::uint64_t number, unsigned way, bool gpu) {
  Random random(mixed(seed, number, 2 + way));
  Trial trial{job, random_way(random, job, size_of(number, gpu))};
  if (program.empty()) return trial;
  if (trial.way.counts) trial.job.max_hits.reset();  // the program refuses both together
  if (random.chance(50)) trial.way.chunks = static_cast<std::uint32_t>(random.between(1, 6));
  trial.way.format = random.pick(std::vector<std::string>{"tsv", "csv", "jsonl"});
  trial.way.late = trial.way.chunks != 0 && random.chance(60);
  return trial;
}

bool plain_enough(const Job& job) {
  std::size_t work = 0;  // roughly the cells that the plain oracle fills
  for (std::size_t p = 0; p < job.patterns.size(); ++p) {
    const std::size_t length = job.patterns[p].sequence.size();
    const std::size_t edits = job.approximate ? job.question.edits[p] : 0;
    const bool hangs = job.question.overhang_5prime || job.question.overhang_3prime;
    const std::size_t around = job.question.exact.circular.empty() ? 0 : 20 * length;
    work +=
        (bases(job) + around) * length * (job.approximate ? length * (edits + 1) * (edits + 1) : 1) * (hangs ? 3 : 1);
  }
  return work < 1'500'000;
}

Verdict check_oracle(const Job& job) {
  const Expected plain = *expected_answers(job, kMostHits, true);
  const auto fast = expected_answers(job, kMostHits, false);
  if (!fast) return {};
  for (const Answers Expected::*answers : {&Expected::all, &Expected::chosen, &Expected::counts}) {
    if (plain.*answers == *fast.*answers) continue;
    return {Outcome::wrong,
            "the fast oracle differs from the plain one: " + first_difference(*fast.*answers, plain.*answers)};
  }
  return {};
}

Verdict check(const Trial& trial, const Expected& expected, const std::string& folder) {
  const support::Target& target = target_of(trial.job, trial.way);
  try {
    const PatternSet set = pattern_set(trial.job);
    if (target.algorithm != Algorithm::automatic) {
      if (const auto reason = decline_reason(target.algorithm, set)) return {Outcome::declined, *reason};
    }
  } catch (const UsageError& error) {
    return {Outcome::declined, error.what()};
  }
  const std::string where = target.name + ": ";
  try {
    Answers found = program.empty() ? run(trial.job, trial.way, folder) : run_program(trial, program, folder);
    if (planted_fault != 0) {
      std::erase_if(found, [](const Answer& a) { return a.end != 0 && a.end % planted_fault == 0; });
    }
    const Answers& wanted = program.empty()    ? answers_of(expected, trial.way)
                            : trial.way.counts ? expected.counts
                                               : expected.chosen;  // `merge` chooses
    if (found != wanted) return {Outcome::wrong, where + first_difference(found, wanted)};
    if (program.empty() && bases(trial.job) < 1000 && trial.way.threads == 1) {
      const std::string fault = check_texts(trial.job, trial.way);
      if (!fault.empty()) return {Outcome::wrong, where + fault};
    }
  } catch (const std::exception& error) {
    return {Outcome::wrong, where + "exception: " + error.what()};
  }
  return {};
}

std::string write_case(const Trial& trial, const std::string& folder) {
  std::filesystem::create_directories(folder);
  const auto expected = expected_answers(trial.job, kMostHits, false);
  if (expected) support::write_file(folder + "/expected.tsv", to_string(answers_of(*expected, trial.way)));
  std::string command = write_command(trial, "basesweep", folder);
  const Way& way = trial.way;
  command += fmt::format("\n# target {}, blocks of {} bytes{}{}", target_of(trial.job, way).name, way.block_bytes,
                         way.waiting_bytes ? fmt::format(", {} bytes of waiting hits", *way.waiting_bytes) : "",
                         way.file ? ", from a file" : ", from memory");
  support::write_file(folder + "/command", command + "\n");
  return command;
}

}  // namespace differ
