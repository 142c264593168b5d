// Man, Nakano, Ito 2013: the least edit distance between a pattern and any part of a text.
#include <fmt/format.h>

#include <algorithm>

#include "kernels/approximate/hmm/paper.hpp"
#include "kernels/approximate/verify.hpp"
#include "lib/search/edit_options.hpp"
#include "tools/bench/paper/paper.hpp"

namespace basesweep::paper {
namespace {

constexpr std::uint32_t kPositions = 1U << 22;
constexpr std::uint32_t kParts[] = {16, 32, 64, 128, 256, 512, 1024, 2048};

// Table I: milliseconds on a GTX 580 with the text cut into D parts, and on a core of a Xeon X7460.
struct PaperRow {
  std::uint32_t length;
  double milliseconds[std::size(kParts)];
  double core_milliseconds;
};
constexpr PaperRow kRows[] = {{32, {178.2, 89.23, 44.92, 23.46, 23.53, 23.64, 23.90, 24.38}, 701.8},
                              {64, {178.6, 89.71, 46.74, 29.13, 29.13, 29.18, 29.39, 30.01}, 1364},
                              {128, {181.1, 92.66, 55.81, 48.40, 48.51, 48.92, 50.16, 53.36}, 2683},
                              {256, {187.0, 112.2, 95.77, 93.16, 91.83, 93.83, 100.1, 113.3}, 5295},
                              {512, {236.5, 191.0, 184.6, 181.3, 185.0, 197.9, 224.1, 277.9}, 10560},
                              {1024, {419.6, 423.8, 432.3, 449.4, 483.4, 551.5, 687.7, 960.0}, 27720}};

// The lengths that are measured, with the paper's row; its patterns have 1,024 letters at most.
constexpr std::uint32_t kLengths[] = {32, 64, 128, 256, 512, 1024, 2048};

const PaperRow* paper_row(std::uint32_t length) {
  const auto* found =
      std::find_if(std::begin(kRows), std::end(kRows), [length](const PaperRow& row) { return row.length == length; });
  return found == std::end(kRows) ? nullptr : found;
}

// The pattern of a row for such a text, to be found with this many edits.
PatternSet pattern_of(const Text& text, std::uint32_t length, std::uint32_t edits) {
  EditOptions options;
  options.edits = edits;
  return {random_set(1, length, text.two_letters).patterns(), StrandChoice::plus, PalindromeChoice::once, options};
}

// The least edit distance between the pattern and any part of the text, with Myers' step on the CPU.
std::uint32_t min_distance(const PatternSet& pattern, const PackedView& text) {
  const VerifyIndex index(pattern, {0});
  const VerifyQuery& query = index.queries[0];
  std::vector<std::uint64_t> pv(query.blocks, ~std::uint64_t{0});
  std::vector<std::uint64_t> mv(query.blocks);
  pv[0] <<= query.spare_rows;
  auto score = static_cast<int>(query.length);
  int least = score;
  for (std::uint32_t position = 0; position < text.positions; ++position) {
    const auto bit = [position](const std::uint64_t* plane) { return plane[position / 64] >> position % 64 & 1; };
    const std::size_t code = bit(text.lo) | bit(text.hi) << 1;
    std::uint64_t ph = 0;
    std::uint64_t mh = 0;
    for (std::uint32_t b = 0; b < query.blocks; ++b) {
      myers_step(index.blocks[b].eq[code], pv[b], mv[b], ph, mh);
      ph >>= 63;
      mh >>= 63;
    }
    score += static_cast<int>(ph) - static_cast<int>(mh);
    least = std::min(least, score);
  }
  return static_cast<std::uint32_t>(least);
}

hmm::PaperText paper_text(const PackedView& view) {
  const std::size_t words = view.positions / 64 + kPlanePadWords;
  return {{view.lo, view.lo + words}, {view.hi, view.hi + words}, view.positions};
}

Table empty_table(const Session& session, const std::string& id, const Text& text, const std::string& how) {
  Table table{id,
              "Man, Nakano, Ito 2013, Table I: least edit distance of a pattern of m and any part of a text of 2^22",
              "GTX 580 with the text cut into D parts; CPU: Xeon X7460, 1 core; random 0/1, a byte each",
              fmt::format("{}; text of {}, random bases, and in rows 0/1 random A and C; {}", session.chip(),
                          power_of_two(text.positions), how)};
  note_size(table, text.positions, kPositions);
  return table;
}

struct Best {
  double milliseconds = 0;
  std::uint32_t parts = 0;  // 0: none yet

  void take(double time, std::uint32_t with_parts) {
    if (parts == 0 || time < milliseconds) *this = {time, with_parts};
  }
};

Best paper_best(const PaperRow& row) {
  Best best;
  for (std::size_t i = 0; i < std::size(kParts); ++i) best.take(row.milliseconds[i], kParts[i]);
  return best;
}

// Adds the cells that the paper's rows and ours end with.
void add_best(Row& row, const Best& best, std::uint32_t length) {
  const double gcups = length * double{kPositions} / best.milliseconds / 1e6;
  row.cells.insert(row.cells.end(), {best.milliseconds, fmt::format("{}", best.parts),
                                     row.by == By::paper ? Cell(fmt::format("{:.1f}", gcups)) : Cell(gcups)});
}

// Runs `hmm` on a core: with the least distance as its edits it must find an end, with one edit less none.
double core_seconds(Session& session, const Text& text, std::uint32_t length) {
  const std::uint32_t expected = min_distance(pattern_of(text, length, 0), text.batch->view());
  MatcherOptions options;
  options.algorithm = Algorithm::hmm;
  options.device = Device::cpu;
  const CoreTiming timing = time_on_core(pattern_of(text, length, expected), options, {}, *text.batch,
                                         Session::kMinCoreRuns, session.quick ? 0 : 0.2);
  const bool less =
      expected != 0 && time_on_core(pattern_of(text, length, expected - 1), options, {}, *text.batch, 1, 0).hits != 0;
  if (timing.hits == 0 || less) {
    session.report_wrong(
        fmt::format("m = {}{}: the distance is {}; hmm finds {} ends with this many edits and {} with one fewer",
                    length, text.two_letters ? ", 0/1" : "", expected, timing.hits, less ? "some" : "none"));
  }
  return timing.seconds;
}

// Adds the times of all numbers of parts to a row, and what a row ends with.
Best measure_parts(Session& session, const hmm::PaperText& planes, const PatternSet& set, std::uint32_t expected,
                   hmm::PaperKernel kernel, Row& row) {
  Best best;
  for (const std::uint32_t parts : kParts) {
    const hmm::PaperResult result = hmm::run_paper(set.queries()[0].sets, planes, parts, session.gpu, 5, kernel);
    if (result.distance != expected) {
      session.report_wrong(
          fmt::format("{}, D = {}: distance {}, on the CPU {}", row.label, parts, result.distance, expected));
    }
    row.cells.emplace_back(result.seconds * 1e3);
    best.take(result.seconds * 1e3, parts);
  }
  add_best(row, best, set.max_length());
  return best;
}

Row paper_times(const PaperRow& row) {
  Row times{
      By::paper, fmt::format("m = {}", row.length), "ms", {std::begin(row.milliseconds), std::end(row.milliseconds)}};
  const Best best = paper_best(row);
  add_best(times, best, row.length);
  times.cells.insert(times.cells.end(),
                     {row.core_milliseconds, fmt::format("{:.1f}", row.core_milliseconds / best.milliseconds), Cell()});
  return times;
}

// The paper's best time over ours.
Cell gain(const PaperRow* paper, const Best& best) {
  return paper == nullptr ? Cell() : Cell(paper_best(*paper).milliseconds / best.milliseconds);
}

// Adds our rows of a length on one of the texts.
void add_rows(Session& session, const Text& text, const hmm::PaperText& planes, std::uint32_t length, Table& table) {
  const PaperRow* const paper = paper_row(length);
  const std::string label = fmt::format("m = {}{}", length, text.two_letters ? ", 0/1" : "");
  const PatternSet set = pattern_of(text, length, 0);
  const std::uint32_t expected = min_distance(set, text.batch->view());
  Row ours{By::ours, label, "ms", {}};
  const Best best = measure_parts(session, planes, set, expected, hmm::PaperKernel::registers, ours);
  const double core = core_seconds(session, text, length) * 1e3;
  ours.cells.insert(ours.cells.end(), {core, core / best.milliseconds, gain(paper, best)});
  Row shared{By::ours, label + ", in shared memory", "ms", {}};
  const Best in_shared = measure_parts(session, planes, set, expected, hmm::PaperKernel::shared_memory, shared);
  shared.cells.insert(shared.cells.end(), {core, core / in_shared.milliseconds, gain(paper, in_shared)});
  table.rows.insert(table.rows.end(), {std::move(ours), std::move(shared)});
}

void gpu_table(Session& session) {
  const Text texts[] = {random_text(kPositions), random_text(kPositions, true)};
  const hmm::PaperText planes[] = {paper_text(texts[0].batch->view()), paper_text(texts[1].batch->view())};
  Table table =
      empty_table(session, "man-1", texts[0],
                  "kernel alone, median of 5; every distance compared with Myers' algorithm; 1 core: hmm, the "
                  "allowed edits are the least distance");
  table.over = "D =";
  for (const std::uint32_t parts : kParts) table.columns.push_back(fmt::format("{}", parts));
  table.columns.insert(table.columns.end(), {"best", "D", "GCUPS", "1 core", "GPU, x", "paper / ours"});
  for (const std::uint32_t length : kLengths) {
    if (paper_row(length) != nullptr) table.rows.push_back(paper_times(*paper_row(length)));
    for (std::size_t t = 0; t < std::size(texts); ++t) add_rows(session, texts[t], planes[t], length, table);
  }
  session.show(table);
  show_per_clock(
      session, table, kGtx580,
      [&](const Row& row, std::size_t column) {
        return column < std::size(kParts) ? std::stod(row.label.substr(row.label.find("= ") + 2)) * texts[0].bases()
                                          : 0;
      },
      std::nullopt);
}

void core_table(Session& session) {
  const std::uint32_t positions = session.quick ? 1U << 19 : kPositions;
  const Text text = random_text(positions);
  const Text binary = random_text(positions, true);
  Table table = empty_table(session, "man-1-core", text, session.runs() + "; the allowed edits are the least distance");
  table.over = "m =";
  Row gpu{By::paper, "GTX 580, best D", "ms", {}};
  Row core{By::paper, "1 core", "ms", {}};
  Row core_rate{By::paper, "1 core", "GCUPS", {}};
  Row ours{By::ours, "hmm, 1 core", "ms", {}};
  Row our_rate{By::ours, "hmm, 1 core", "GCUPS", {}};
  Row ours_binary{By::ours, "hmm, 1 core, 0/1", "ms", {}};
  for (const std::uint32_t length : kLengths) {
    table.columns.push_back(fmt::format("{}", length));
    const PaperRow* const row = paper_row(length);
    gpu.cells.push_back(row == nullptr ? Cell() : Cell(paper_best(*row).milliseconds));
    core.cells.push_back(row == nullptr ? Cell() : Cell(row->core_milliseconds));
    core_rate.cells.push_back(
        row == nullptr ? Cell()
                       : Cell(fmt::format("{:.3g}", length * double{kPositions} / row->core_milliseconds / 1e6)));
    const double seconds = core_seconds(session, text, length);
    ours.cells.emplace_back(seconds * 1e3);
    our_rate.cells.emplace_back(length * text.bases() / seconds / 1e9);
    ours_binary.cells.emplace_back(core_seconds(session, binary, length) * 1e3);
  }
  table.rows = {std::move(gpu),  std::move(core),     std::move(core_rate),
                std::move(ours), std::move(our_rate), std::move(ours_binary)};
  session.show(std::move(table));
}

}  // namespace

void man(Session& session) { session.gpu_used ? gpu_table(session) : core_table(session); }

}  // namespace basesweep::paper
