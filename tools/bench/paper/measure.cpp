// Measures and prints the papers' tables.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <numeric>

#include "kernels/cuda/bench.hpp"
#include "kernels/registry/rooms.hpp"
#include "kernels/registry/tuned.hpp"
#include "tools/bench/paper/paper.hpp"
#include "tools/print.hpp"

namespace basesweep::paper {
namespace {

std::optional<Algorithm> algorithm_named(std::string_view name) {
  const std::vector<Algorithm>& all = exact_algorithms();
  const auto found = std::find_if(all.begin(), all.end(), [name](Algorithm a) { return to_string(a) == name; });
  return found == all.end() ? std::nullopt : std::optional(*found);
}

MatcherOptions on_core(Algorithm algorithm, Output output) {
  MatcherOptions options;
  options.algorithm = algorithm;
  options.device = Device::cpu;
  options.output = output;
  return options;
}

// Takes out columns that have no figure, such as those of GPUs where only the CPU is measured.
void drop_empty_columns(Table& table) {
  const auto empty = [&table](std::size_t c) {
    return std::all_of(table.rows.begin(), table.rows.end(),
                       [c](const Row& row) { return std::holds_alternative<std::monostate>(row.cells[c]); });
  };
  for (std::size_t c = table.columns.size(); c-- > 0;) {
    if (table.rows.empty() || !empty(c)) continue;
    const auto at = static_cast<std::ptrdiff_t>(c);
    table.columns.erase(table.columns.begin() + at);
    for (Row& row : table.rows) row.cells.erase(row.cells.begin() + at);
  }
}

}  // namespace

void Session::show(Table table) {
  drop_empty_columns(table);
  fmt::print("{}", to_text(table));
  std::fflush(stdout);
  results.tables.push_back(std::move(table));
}

void Session::report_wrong(const std::string& what) {
  fmt::print("\nWRONG: {}\n", what);
  std::fflush(stdout);
  results.wrong.push_back(what);
}

std::string Session::runs() const {
  return fmt::format("median of {}",
                     gpu_used ? fmt::format("{}", gpu_runs()) : fmt::format("{} or more", kMinCoreRuns));
}

bool exists(std::string_view algorithm) { return algorithm_named(algorithm).has_value(); }

Subject::Subject(Session& session, PatternSet patterns, Text text)
    : session_(session), patterns_(std::move(patterns)), text_(std::move(text)) {}

RoomOptions Subject::on_gpu(Output output, const Tuning& tuning) const {
  std::vector<std::uint32_t> queries(patterns_.queries().size());
  std::iota(queries.begin(), queries.end(), 0U);
  return {patterns_, std::move(queries), output, kIsas.front(), session_.gpu, tuning};
}

Subject::Measured Subject::measure(Algorithm algorithm, On on, Output output, const Tuning& tuning) const {
  if (on == On::core) {
    CoreTiming timing = time_on_core(patterns_, on_core(algorithm, output), tuning, *text_.batch, Session::kMinCoreRuns,
                                     session_.quick ? 0 : 0.2);
    return {timing.seconds, timing.hits, std::move(timing.counts)};
  }
  cuda::KernelTiming timing =
      cuda::time_kernel(room_of(algorithm), on_gpu(output, tuning),
                        {text_.positions, text_.two_letters, text_.batch.get()}, session_.gpu_runs());
  if (output == Output::occurrences && timing.stored < timing.occurrences) {
    tell(fmt::format("{}: only {} of {} hits stored: too little GPU memory", to_string(algorithm), timing.stored,
                     timing.occurrences));
  }
  return {timing.seconds, timing.occurrences, std::move(timing.counts)};
}

std::optional<double> Subject::seconds(std::string_view name, On on, Output output, const Tuning& tuning) {
  const std::optional<Algorithm> algorithm = algorithm_named(name);
  if (!algorithm || decline_reason(*algorithm, patterns_)) return std::nullopt;
  const Measured measured = measure(*algorithm, on, output, tuning);
  compare(fmt::format("{} on the {}", name, on == On::core ? "CPU" : "GPU"), measured);
  return measured.seconds;
}

std::optional<double> Subject::making_seconds(std::string_view name, On on, const Tuning& tuning) const {
  const std::optional<Algorithm> algorithm = algorithm_named(name);
  if (!algorithm || decline_reason(*algorithm, patterns_)) return std::nullopt;
  if (on == On::gpu) {
    return cuda::time_making(room_of(*algorithm), on_gpu(Output::occurrences, tuning), Session::kMakingRuns);
  }
  std::vector<double> times;
  for (int run = 0; run < Session::kMakingRuns; ++run) {
    const auto begin = BenchClock::now();
    const std::unique_ptr<Matcher> matcher = make_matcher(patterns_, on_core(*algorithm, Output::occurrences), tuning);
    times.push_back(seconds_since(begin));
  }
  return median(std::move(times));
}

void Subject::compare(const std::string& who, const Measured& measured) {
  const auto set = [&] {
    return fmt::format("{} patterns of up to {} bases, text of {}", patterns_.queries().size(), patterns_.max_length(),
                       text_.positions);
  };
  if (first_.empty()) {
    first_ = who;
    hits_ = measured.hits;
  } else if (measured.hits != hits_) {
    session_.report_wrong(fmt::format("{}: {} finds {} hits, {} {}", set(), first_, hits_, who, measured.hits));
  }
  if (measured.counts.empty()) return;
  if (first_counting_.empty()) {
    first_counting_ = who;
    counts_ = measured.counts;
  } else if (measured.counts != counts_) {
    session_.report_wrong(fmt::format("{}: {} and {} count differently", set(), first_counting_, who));
  }
}

std::string Subject::automatic(On on, Output output) const {
  MatcherOptions options;
  options.device = on == On::core ? Device::cpu : Device::gpu;
  options.gpus = {session_.gpu};
  options.output = output;
  const std::string description = make_matcher(patterns_, options)->describe();
  return description.substr(0, description.find(" on "));
}

namespace {

void note_size(Table& table, std::uint32_t positions, std::uint32_t paper_min, std::uint32_t paper_max,
               const std::string& as_printed) {
  if (positions >= paper_min - paper_min / 100 && positions <= paper_max + paper_max / 100) return;
  table.notes.push_back(fmt::format("Not comparable: our text has {} bases, the paper's {} characters.",
                                    power_of_two(positions), as_printed));
}

}  // namespace

void note_size(Table& table, std::uint32_t positions, std::uint32_t paper_positions, const std::string& as_printed) {
  note_size(table, positions, paper_positions, paper_positions,
            as_printed.empty() ? power_of_two(paper_positions) : as_printed);
}

void note_size(Table& table, std::uint32_t positions, std::uint32_t paper_min, std::uint32_t paper_max) {
  note_size(table, positions, paper_min, paper_max,
            fmt::format("{} to {}", power_of_two(paper_min), power_of_two(paper_max)));
}

Cell cell(const std::optional<double>& value, double factor) { return value ? Cell(*value * factor) : Cell(); }

Cell rate_cell(const std::optional<double>& seconds, const Text& text) {
  return seconds ? Cell(text.bases() / *seconds / 1e9) : Cell();
}

}  // namespace basesweep::paper
