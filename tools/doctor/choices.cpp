#include "tools/doctor/choices.hpp"

#include <fmt/format.h>

#include <optional>
#include <string_view>

#include "kernels/cuda/cuda.hpp"
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

// The reason in messages such as "device: gpu, since REASON" and "device: cpu, and a GPU if it has time to help:
// REASON".
std::string reason_in(const std::string& said) {
  for (const std::string_view mark : {"since ", "help: "}) {
    const std::size_t at = said.find(mark);
    if (at != std::string::npos) return said.substr(at + mark.size());
  }
  return said;
}

Choice choose(const Task& task, const PatternSet& patterns, std::int64_t bases, int threads) {
  Choice choice{task.command, task.name, bases, "", "", "", ""};
  MatcherOptions options;
  options.expected_bases = bases;
  options.threads = threads;
  options.log = [&choice](const std::string& said) { choice.device_reason = reason_in(said); };
  AutomaticAssignment chosen = assign_automatic(patterns, options);
  if (chosen.gpu) {
    if (const auto reason = cuda::unusable_reason(options.gpus.front())) {
      choice.device_reason = "no GPU is usable: " + *reason;
      chosen.gpu.reset();
    }
  }
  choice.device = chosen.gpu ? "both" : "cpu";
  for (const Share& share : (chosen.gpu ? *chosen.gpu : chosen.cpu).shares) {
    choice.algorithm += fmt::format("{}{}", choice.algorithm.empty() ? "" : " and ", to_string(share.algorithm));
    choice.algorithm_reason += fmt::format("{}{}", choice.algorithm_reason.empty() ? "" : "; ", share.reason);
  }
  return choice;
}

Choice choose_for_reads(std::int64_t bases, int threads) {
  constexpr std::int64_t kReads = 1'000'000;
  constexpr ReadQuery kRead{0, 150, 8};
  Choice choice{"map", fmt::format("{} reads of {}, k = {}", kReads, kRead.length, kRead.edits), bases, "", "", "", ""};
  FinderOptions options;
  options.expected_bases = kReads * kRead.length;
  options.usual_read = kRead;
  options.threads = threads;
  options.log = [&choice](const std::string& said) { choice.device_reason = reason_in(said); };
  const Device device = choose_device(bases, options);
  const auto positions = static_cast<std::uint32_t>(bases);
  const bool swept = device == Device::gpu ? seeds::is_swept(kRead, positions, Candidates::automatic)
                                           : seeds::seeds_for(kRead, positions, Candidates::automatic) == 0;
  choice.device = to_string(device);
  choice.algorithm =
      fmt::format("{}, {}", swept ? "sweep" : fmt::format("index of {}-grams", seeds::gram_for(positions)),
                  automatic_verifiers(device));
  choice.algorithm_reason = "by expected cost";
  return choice;
}

}  // namespace

std::vector<Choice> automatic_choices(int threads) {
  const Task tasks[] = {{"motif", "1 motif of 12", 1, 12},
                        {"motif", "100 motifs of 12", 100, 12},
                        {"motif", "10000 motifs of 20", 10'000, 20},
                        {"match", "1 primer of 20, k = 2", 1, 20, within(2)},
                        {"match", "100 guides of 20, k = 3, no indels", 100, 20, within(3, 0)}};
  std::vector<Choice> choices;
  for (const Task& task : tasks) {
    const PatternSet patterns = patterns_of(task);
    for (const std::int64_t bases : kTexts) choices.push_back(choose(task, patterns, bases, threads));
  }
  for (const std::int64_t bases : kTexts) choices.push_back(choose_for_reads(bases, threads));
  return choices;
}

}  // namespace basesweep
