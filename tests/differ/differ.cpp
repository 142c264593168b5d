// Differential runs: random texts, patterns and options, searched by the library in random ways and by an oracle, for
// as long as it is told to. `scripts/prove.sh differ` runs it.
//
//   differ --seconds N [--seed S] [--jobs N] [--devices cpu|gpu|cpu,gpu] [--found FOLDER]
//   differ --seed S --number N ...      repeats one job of a run with this seed and these devices
//   differ --number N --here ...        the same in this process, for debuggers and compute-sanitizer: they do not
//   follow forks differ ... --program PATH           runs this basesweep, with files, chunks and merge, in place of the
//   library differ ... --plant-fault            drops hits that end at a multiple of 64, to show that a fault is found
//
// A case is one query on one text. Exits with 1 after the first fault, which it makes small and writes to FOLDER.
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <map>
#include <string>
#include <thread>
#include <vector>

#include "tests/differ/check.hpp"
#include "tests/differ/processes.hpp"

namespace {

using namespace differ;
using Clock = std::chrono::steady_clock;

struct Options {
  double seconds = 10;
  std::uint64_t seed = static_cast<std::uint64_t>(std::chrono::system_clock::now().time_since_epoch().count());
  std::optional<std::uint64_t> number{};
  unsigned jobs = std::max(1U, std::thread::hardware_concurrency());
  std::string devices = "cpu";
  std::string found = "differ-found";
  bool here = false;

  bool gpu() const { return devices.find("gpu") != std::string::npos; }
};

constexpr std::size_t kMostHits = 400'000;
constexpr std::size_t kMostTargets = 400;
constexpr unsigned kOracle = 1000;  // used as the number of a way: the fast oracle differs from the plain one
constexpr double kHangSeconds = 180;

// The counts that the processes of a run give to their parent.
struct Counts {
  std::atomic<std::uint64_t> jobs, cases, answers, bases, hits, large, compared, skipped;
  std::atomic<std::uint64_t> oracle_us, plain_us, library_us;  // where the time went
  // For exact and approximate targets.
  std::array<std::array<std::atomic<std::uint64_t>, kMostTargets>, 2> ran, declined;
};

// The job that a process works on.
struct Place {
  std::atomic<std::uint64_t> number, way, since;  // since: seconds since the start of the run
  std::atomic<bool> wrong;
};

// Adds the microseconds that it lives.
class Stopwatch {
 public:
  explicit Stopwatch(std::atomic<std::uint64_t>& to) : to_(to) {}
  ~Stopwatch() {
    to_ += static_cast<std::uint64_t>(
        std::chrono::duration_cast<std::chrono::microseconds>(Clock::now() - start_).count());
  }
  Stopwatch(const Stopwatch&) = delete;
  Stopwatch& operator=(const Stopwatch&) = delete;

 private:
  std::atomic<std::uint64_t>& to_;
  const Clock::time_point start_ = Clock::now();
};

void run_job(const Options& options, std::uint64_t number, const std::string& folder, Counts& counts, Place& place) {
  const Job job = make_job(options.seed, number, options.gpu());
  std::optional<Expected> expected;
  {
    const Stopwatch watch(counts.oracle_us);
    expected = expected_answers(job, kMostHits, false);
  }
  if (!expected) {
    ++counts.skipped;
    return;
  }
  if (number % 4 == 0 && plain_enough(job)) {
    const Stopwatch watch(counts.plain_us);
    place.way = kOracle;
    if (check_oracle(job).outcome == Outcome::wrong) place.wrong = true;
    if (place.wrong) return;
    ++counts.compared;
  }
  std::uint64_t answered = 0;
  for (unsigned way = 0; way < ways_of(options.seed, number); ++way) {
    place.way = way;
    const Trial trial = make_trial(job, options.seed, number, way, options.gpu());
    const auto& targets = job.approximate ? support::approximate_targets() : support::targets();
    const std::size_t target = trial.way.target % targets.size();
    Outcome outcome{};
    {
      const Stopwatch watch(counts.library_us);
      outcome = check(trial, *expected, folder).outcome;
    }
    if (outcome == Outcome::wrong) {
      place.wrong = true;
      return;
    }
    if (outcome == Outcome::declined) {
      ++counts.declined[job.approximate ? 1 : 0].at(target);
      continue;
    }
    ++counts.ran[job.approximate ? 1 : 0].at(target);
    ++answered;
  }
  ++counts.jobs;
  if (answered == 0) return;
  counts.cases += cases(job);
  counts.answers += answered * cases(job);
  counts.bases += bases(job);
  counts.hits += expected->chosen.size();
  if (bases(job) > 8'000'000) ++counts.large;
}

// Repeats a trial in a process of its own, so that crashes and hangs do not end this one. Returns what is wrong, or "".
std::string fault_of(const Trial& trial, unsigned way) {
  return in_process(kHangSeconds, [&]() -> std::string {
    const support::ScratchFolder folder;
    if (way == kOracle) return check_oracle(trial.job).message;
    const auto expected = expected_answers(trial.job, kMostHits, false);
    if (!expected) return "";
    const Verdict verdict = check(trial, *expected, folder.path(""));
    return verdict.outcome == Outcome::wrong ? verdict.message : "";
  });
}

void explain(const Options& options, std::uint64_t number, unsigned way) {
  fmt::print("\nFAULT in job {} of seed {}, way {}; repeat with --seed {} --number {} --devices {}\n", number,
             options.seed, way, options.seed, number, options.devices);
  const Job job = make_job(options.seed, number, options.gpu());
  const Trial trial = make_trial(job, options.seed, number, way == kOracle ? 0 : way, options.gpu());
  const std::string first = fault_of(trial, way);
  if (first.empty()) {
    fmt::print("It does not fail again by itself: it may depend on threads, or on jobs before it.\n");
    return;
  }
  fmt::print("{}\nshrinking {} bases and {} patterns\n", first, bases(job), job.patterns.size());
  std::fflush(stdout);
  // A smaller trial must fail in the same manner: with other hits, or by an exception.
  const auto manner = [](const std::string& fault) { return fault.find("exception: ") != std::string::npos; };
  const auto fails = [&](const Trial& smaller) {
    const std::string fault = fault_of(smaller, way);
    return !fault.empty() && manner(fault) == manner(first);
  };
  const Trial small = shrunk(trial, fails, options.gpu() ? 240 : 90);
  fmt::print("\nsmall: {} bases, {} patterns\n{}\n", bases(small.job), small.job.patterns.size(), fault_of(small, way));
  const std::string command = in_process(kHangSeconds, [&] { return write_case(small, options.found); });
  fmt::print("Files are in {}; the command is\n{}\n", options.found, command);
}

// Answers one job in this process and says what is wrong.
int run_here(const Options& options, std::uint64_t number) {
  Counts& counts = *shared<Counts>(1);
  Place place{};
  const support::ScratchFolder folder;
  run_job(options, number, folder.path(""), counts, place);
  fmt::print("{} answers; {}\n", counts.answers.load(), place.wrong ? "the last one is wrong" : "all are right");
  return place.wrong ? 1 : 0;
}

void print_targets(const Counts& counts) {
  for (const int approximate : {0, 1}) {
    const auto& targets = approximate != 0 ? support::approximate_targets() : support::targets();
    fmt::print("{:<44} {:>10} {:>10}\n", approximate != 0 ? "approximate" : "exact", "jobs", "declined");
    for (std::size_t t = 0; t < targets.size(); ++t) {
      fmt::print("{:<44} {:>10} {:>10}\n", targets[t].name, counts.ran[approximate][t].load(),
                 counts.declined[approximate][t].load());
    }
  }
}

void print_counts(const Counts& counts, double seconds, unsigned jobs) {
  const auto cases = static_cast<double>(counts.cases);
  const auto percent = [&](std::uint64_t us) { return static_cast<double>(us) / 1e4 / seconds / jobs; };
  fmt::print(
      "{:.0f} s: {} cases, {:.0f} per second, {:.0f} per second and process; {} answers, {} jobs, {} texts over "
      "8 MB, {:.2f} Gbases, {} hits; {} jobs with the plain oracle too, {} with too many hits left out; "
      "of the time {:.0f} % fast oracle, {:.0f} % plain oracle, {:.0f} % library\n",
      seconds, counts.cases.load(), cases / seconds, cases / seconds / jobs, counts.answers.load(), counts.jobs.load(),
      counts.large.load(), static_cast<double>(counts.bases) / 1e9, counts.hits.load(), counts.compared.load(),
      counts.skipped.load(), percent(counts.oracle_us), percent(counts.plain_us), percent(counts.library_us));
  std::fflush(stdout);
}

int run(const Options& options) {
  const unsigned jobs = options.number ? 1 : options.jobs;
  Counts& counts = *shared<Counts>(1);
  Place* places = shared<Place>(jobs);
  const Clock::time_point start = Clock::now();
  const auto elapsed = [&] { return std::chrono::duration<double>(Clock::now() - start).count(); };
  fmt::print("seed {}, {} processes, devices {}\n", options.seed, jobs, options.devices);
  std::fflush(stdout);
  std::vector<pid_t> processes;
  for (unsigned p = 0; p < jobs; ++p) {
    processes.push_back(start_process([&, p] {
      const support::ScratchFolder folder;
      Place& place = places[p];
      for (std::uint64_t number = options.number.value_or(p); !place.wrong; number += jobs) {
        place.number = number;
        place.since = static_cast<std::uint64_t>(elapsed());
        run_job(options, number, folder.path(""), counts, place);
        if (options.number || elapsed() > options.seconds) break;
      }
    }));
  }
  double next_line = 30;
  unsigned running = jobs;
  std::optional<unsigned> faulty;
  while (running != 0 && !faulty) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    for (unsigned p = 0; p < jobs && !faulty; ++p) {
      if (processes[p] == 0) continue;
      const auto end = ended(processes[p]);
      const bool hangs = !end && elapsed() - static_cast<double>(places[p].since) > kHangSeconds;
      if (hangs) fmt::print("job {} takes longer than {} s\n", places[p].number.load(), kHangSeconds);
      if (end && *end != 0) fmt::print("job {} ended its process with status {:#x}\n", places[p].number.load(), *end);
      if (end) processes[p] = 0;
      if (end) --running;
      if (hangs || (end && *end != 0) || places[p].wrong) faulty = p;
    }
    if (elapsed() < next_line) continue;
    print_counts(counts, elapsed(), jobs);
    next_line += 30;
  }
  for (const pid_t process : processes) {
    if (process != 0) stop(process);
  }
  print_counts(counts, elapsed(), jobs);
  if (faulty) explain(options, places[*faulty].number, static_cast<unsigned>(places[*faulty].way));
  print_targets(counts);
  return faulty ? 1 : 0;
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  for (int i = 1; i < argc; ++i) {
    const std::string option = argv[i];
    if (option == "--plant-fault") {
      planted_fault = 64;
      continue;
    }
    if (option == "--here") {
      options.here = true;
      continue;
    }
    const char* value = i + 1 < argc ? argv[++i] : "";
    const auto number = [&] { return std::strtoull(value, nullptr, 10); };
    if (option == "--seconds") {
      options.seconds = std::strtod(value, nullptr);
    } else if (option == "--seed") {
      options.seed = number();
    } else if (option == "--number") {
      options.number = number();
    } else if (option == "--jobs") {
      options.jobs = std::max(1U, static_cast<unsigned>(number()));
    } else if (option == "--devices") {
      options.devices = value;
    } else if (option == "--found") {
      options.found = value;
    } else if (option == "--program") {
      program = value;
    } else {
      fmt::print(stderr, "differ: unknown option {}\n", option);
      return 2;
    }
  }
  setenv("BASESWEEP_TEST_DEVICES", options.devices.c_str(), 1);
  try {
    return options.here && options.number ? run_here(options, *options.number) : run(options);
  } catch (const std::exception& error) {
    fmt::print(stderr, "differ: {}\n", error.what());
    return 1;
  }
}
