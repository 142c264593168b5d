#include "tools/doctor/choices.hpp"

#include <fmt/format.h>

#include <optional>

#include "kernels/reads/seeds/choices.hpp"
#include "kernels/registry/assignment.hpp"
#include "kernels/registry/choose_device.hpp"
#include "kernels/registry/verifiers.hpp"
#include "lib/oracle/trial/generate.hpp"
#include "lib/search/finder.hpp"
#include "tools/doctor/questions.hpp"

namespace basesweep {
namespace {

constexpr std::int64_t kTexts[] = {5'000'000, 3'100'000'000};  // a bacterium, a mammal

struct Task {
  const char* command;
  std::string name;
  int count;
  std::size_t length;
  std::optional<EditOptions> edits = {};
};

PatternSet patterns_of(const Task& task) {
  trial::Random random(1);
  std::vector<Pattern> patterns;
  patterns.reserve(static_cast<std::size_t>(task.count));
  for (int i = 0; i < task.count; ++i) {
    patterns.push_back({fmt::format("m{}", i), trial::random_letters(random, task.length, "ACGT")});
  }
  if (!task.edits) return {std::move(patterns), StrandChoice::both, PalindromeChoice::once};
  return {std::move(patterns), StrandChoice::both, PalindromeChoice::once, *task.edits};
}

// The reason in choose_device()'s message "device: gpu, since REASON".
std::string reason_in(const std::string& said) {
  const std::size_t since = said.find("since ");
  return since == std::string::npos ? said : said.substr(since + 6);
}

Choice choose(const Task& task, const PatternSet& patterns, std::int64_t bases, int threads, int gpu) {
  Choice choice{task.command, task.name, bases, "", "", "", ""};
  MatcherOptions options;
  options.gpu = gpu;
  options.expected_bases = bases;
  options.threads = threads;
  options.log = [&choice](const std::string& said) { choice.device_reason = reason_in(said); };
  const AutomaticAssignment chosen = assign_automatic(patterns, options);
  choice.device = to_string(chosen.device);
  for (const Share& share : chosen.assignment.shares) {
    choice.algorithm += fmt::format("{}{}", choice.algorithm.empty() ? "" : " and ", to_string(share.algorithm));
    choice.algorithm_reason += fmt::format("{}{}", choice.algorithm_reason.empty() ? "" : "; ", share.reason);
  }
  return choice;
}

Choice choose_for_reads(std::int64_t bases, int threads, int gpu) {
  constexpr std::int64_t kReads = 1'000'000;
  constexpr ReadQuery kRead{0, 150, 8};
  Choice choice{"map", fmt::format("{} reads of {}, k = {}", kReads, kRead.length, kRead.edits), bases, "", "", "", ""};
  FinderOptions options;
  options.gpu = gpu;
  options.expected_bases = kReads * kRead.length;
  options.threads = threads;
  options.log = [&choice](const std::string& said) { choice.device_reason = reason_in(said); };
  const Device device = choose_device(bases, options);
  const auto positions = static_cast<std::uint32_t>(bases);
  const bool swept = seeds::is_swept(kRead, positions, Candidates::automatic);
  choice.device = to_string(device);
  choice.algorithm =
      fmt::format("{}, {}", swept ? "sweep" : fmt::format("index of {}-grams", seeds::gram_for(positions)),
                  automatic_verifiers(device));
  choice.algorithm_reason = "by expected cost";
  return choice;
}

}  // namespace

std::vector<Choice> automatic_choices(int threads, int gpu) {
  const Task tasks[] = {{"motif", "1 motif of 12", 1, 12},
                        {"motif", "100 motifs of 12", 100, 12},
                        {"motif", "10000 motifs of 20", 10'000, 20},
                        {"match", "1 primer of 20, k = 2", 1, 20, within(2)},
                        {"match", "100 guides of 20, k = 3, no indels", 100, 20, within(3, 0)}};
  std::vector<Choice> choices;
  for (const Task& task : tasks) {
    const PatternSet patterns = patterns_of(task);
    for (const std::int64_t bases : kTexts) choices.push_back(choose(task, patterns, bases, threads, gpu));
  }
  for (const std::int64_t bases : kTexts) choices.push_back(choose_for_reads(bases, threads, gpu));
  return choices;
}

}  // namespace basesweep
