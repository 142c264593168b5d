// Measurements of `basesweep bench --text`: every exact algorithm and `auto` on a text of the user's, with patterns
// that are taken from it.
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <ctime>
#include <limits>
#include <random>
#include <thread>
#include <unordered_set>

#include "kernels/registry/tuned.hpp"
#include "lib/base/error.hpp"
#include "lib/base/threads.hpp"
#include "lib/packer/batcher.hpp"
#include "lib/packer/packer.hpp"
#include "lib/packer/sample_text.hpp"
#include "lib/reader/reader.hpp"
#include "tools/bench/support.hpp"
#include "tools/print.hpp"

namespace basesweep {
namespace {

constexpr std::uint32_t kBatchPositions = 1U << 20;  // as a search on the CPU has

// The first bases of a file, as the batches that a search would make of them.
struct Text {
  std::vector<std::unique_ptr<PackedBatch>> batches;
  std::optional<TextSample> sample;
  std::uint64_t bases = 0;
};

Text read_text(const std::string& path, std::uint64_t max_bases, std::uint32_t longest) {
  Text text;
  ReaderOptions reading;
  reading.paths = {path};
  Reader reader(reading);
  BatcherOptions batching;
  batching.batch = {.batch_positions = kBatchPositions, .max_length = longest, .halo_right = longest - 1};
  Batcher batcher(batching, {path}, [&](std::unique_ptr<PackedBatch> batch) {
    const PackedView view = batch->view();
    text.bases += view.own_end - view.own_begin;
    text.batches.push_back(std::move(batch));
  });
  while (text.bases < max_bases) {
    const std::optional<RawBlock> block = reader.next();
    if (!block) break;
    if (!text.sample) text.sample = sample_text(*block, longest);
    batcher.add(pack(*block, {}));
  }
  batcher.finish(false);
  return text;
}

bool blocked(const PackedBatch& batch, std::uint32_t begin, std::uint32_t end) {
  std::size_t next = 0;
  skip_before(batch.blocked(), begin, next);
  return batch.blocked()[next].begin < end;
}

// Different patterns from random places of the text. Fewer than `count` where the text has not that many.
std::vector<Pattern> patterns_from(const Text& text, int count, int length) {
  std::mt19937_64 random(5);
  std::unordered_set<std::string> taken;
  std::vector<Pattern> patterns;
  const auto positions = static_cast<std::uint32_t>(length);
  for (int tries = 0; tries < 30 * count + 1000 && static_cast<int>(patterns.size()) < count; ++tries) {
    const PackedBatch& batch = *text.batches[random() % text.batches.size()];
    const PackedView view = batch.view();
    const auto begin = view.own_begin + static_cast<std::uint32_t>(random() % (view.own_end - view.own_begin));
    if (blocked(batch, begin, begin + positions)) continue;
    std::string letters(positions, ' ');
    batch.copy_letters(begin, begin + positions, letters.data());
    if (taken.insert(letters).second) patterns.push_back({fmt::format("m{}", patterns.size()), letters});
  }
  return patterns;
}

int threads_of(const BenchOptions& o) { return o.threads == 0 ? available_threads() : o.threads; }
int rounds_of(const BenchOptions& o) { return o.quick ? 3 : 9; }

// `auto` and all that are exact.
std::vector<Algorithm> algorithms() {
  std::vector<Algorithm> all{Algorithm::automatic};
  all.insert(all.end(), exact_algorithms().begin(), exact_algorithms().end());
  return all;
}

bool wanted(Algorithm algorithm, const SetSize& size, const BenchOptions& o) {
  return fmt::format("{} {} x {}", to_string(algorithm), size.count, size.length).find(o.only) != std::string::npos;
}

struct Timed {
  std::string name;
  std::unique_ptr<Matcher> matcher;
  double seconds = std::numeric_limits<double>::infinity();  // of the shortest run, of each thread's processor
  std::uint64_t hits = 0;
};

// Processor seconds of all threads of the process so far. Time that other programs take from these does not count.
double processor_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

// Searches all batches once, with this many threads.
void run_once(Timed& timed, const Text& text, int threads) {
  std::atomic<std::size_t> next = 0;
  std::atomic<std::uint64_t> hits = 0;
  const auto work = [&] {
    for (std::size_t i = next++; i < text.batches.size(); i = next++) {
      timed.matcher->submit(*text.batches[i], [&hits](MatchResult&& result, const std::exception_ptr& error) {
        if (error) std::rethrow_exception(error);
        hits += result.occurrences.size();
      });
    }
  };
  const double start = processor_seconds();
  std::vector<std::jthread> others;
  for (int t = 1; t < threads; ++t) others.emplace_back(work);
  work();
  others.clear();
  timed.seconds = std::min(timed.seconds, (processor_seconds() - start) / threads);
  timed.hits = hits;
}

double shortest(const std::vector<Timed>& all) {
  return std::min_element(all.begin(), all.end(), [](const Timed& a, const Timed& b) { return a.seconds < b.seconds; })
      ->seconds;
}

void measure_set(const Text& text, const SetSize& size, const BenchOptions& o, BenchRecord& record) {
  constexpr double kFar = 3;  // times the shortest: not run again
  const PatternSet patterns(patterns_from(text, size.count, size.length), StrandChoice::plus, PalindromeChoice::both);
  if (patterns.patterns().empty()) {
    throw DataError(fmt::format("{}: has no {} bases without other letters than A, C, G, T", o.text, size.length));
  }
  const int threads = threads_of(o);
  std::vector<Timed> all;
  for (const Algorithm algorithm : algorithms()) {
    if (!wanted(algorithm, size, o)) continue;
    if (algorithm != Algorithm::automatic && decline_reason(algorithm, patterns)) continue;
    MatcherOptions options;
    options.algorithm = algorithm;
    options.device = Device::cpu;
    options.threads = threads;
    options.text = text.sample ? &*text.sample : nullptr;
    all.push_back({fmt::format("{} {} x {}", to_string(algorithm), patterns.patterns().size(), size.length),
                   make_matcher(patterns, options)});
  }
  if (all.empty()) return;
  const int rounds = rounds_of(o);
  for (int round = 0; round < rounds; ++round) {
    const double best = round == 0 ? std::numeric_limits<double>::infinity() : shortest(all);
    for (Timed& timed : all) {
      if (round == 0 || timed.seconds < kFar * best) run_once(timed, text, threads);
    }
  }
  for (const Timed& timed : all) {
    if (timed.hits != all.front().hits) {
      throw Error(kExitFailure,
                  fmt::format("{} found {} hits, {} {}", timed.name, timed.hits, all.front().name, all.front().hits));
    }
    record.add({timed.name, timed.matcher->describe(), static_cast<double>(text.bases), timed.seconds,
                fmt::format("{} hits", timed.hits)});
  }
}

}  // namespace

void bench_text(const BenchOptions& o, BenchRecord& record) {
  if (o.sets.empty()) throw UsageError("--text needs --set: how many patterns of how many bases are taken from it");
  std::vector<SetSize> sizes;
  int longest = 1;
  bool any = false;
  for (const std::string& set : o.sets) {
    sizes.push_back(parse_set(set));
    longest = std::max(longest, sizes.back().length);
    for (const Algorithm algorithm : algorithms()) any = any || wanted(algorithm, sizes.back(), o);
  }
  if (!any) throw UsageError(fmt::format("nothing to measure: no row contains '{}' (--only)", o.only));
  const Text text = read_text(o.text, o.quick ? 1U << 22 : 1U << 24, static_cast<std::uint32_t>(longest));
  if (text.bases == 0) throw DataError(fmt::format("{}: has no bases", o.text));
  fmt::print("basesweep {} bench\n", BASESWEEP_VERSION);
  record.begin("text", fmt::format("CPU, {}, {}; {} bases of {}, patterns from it, one strand, positions "
                                   "stored, shortest of {} interleaved runs, processor time",
                                   counted(static_cast<std::uint64_t>(threads_of(o)), "thread"), to_string(best_isa()),
                                   text.bases, o.text, rounds_of(o)));
  for (const SetSize& size : sizes) measure_set(text, size, o, record);
}

}  // namespace basesweep
