// Xu, Zhang, Xu, Yao 2023: counts occurrences of many patterns of one length with an Aho-Corasick DFA.
#include <fmt/format.h>

#include <algorithm>

#include "tools/bench/paper/paper.hpp"

namespace basesweep::paper {
namespace {

struct Set {
  std::uint32_t letters, count, length;
};

// An algorithm that counts or stores positions, on the set of each column.
struct Search {
  const char* algorithm;
  Output output;
};
constexpr Search kSearches[] = {{"ac-dfa", Output::counts},      {"ac-nfa", Output::counts},
                                {"qgrams", Output::counts},      {"auto", Output::counts},
                                {"ac-dfa", Output::occurrences}, {"ac-nfa", Output::occurrences},
                                {"qgrams", Output::occurrences}, {"auto", Output::occurrences}};

// Steps of the paper that ac-dfa can leave out or take in another way, on a GPU.
struct Step {
  const char* label;
  Tuning tuning;
};
constexpr Step kSteps[] = {{"leaves with rows", {.leaves = Leaves::rows}},
                           {"leaves with links", {.leaves = Leaves::links}},
                           {"links in moves", {.leaves = Leaves::moves}},
                           {"states in order of insertion", {.order = StateOrder::insertion}},
                           {"counters in device memory", {.counters = Counters::device}},
                           {"counters of half of the states in shared memory", {.counters = Counters::first_states}},
                           {"text through shared memory (5.2)", {.shared_text = true}}};
constexpr const char* kStepsNote =
    "Rows 'ac-dfa counts, ...' differ from 'ac-dfa, counts' in what they name only: order by depth, counters of states "
    "in shared memory if they fit, text fetched by each thread, links for leaves only where the table does not fit "
    "otherwise.";

// Rows of ac-dfa's steps, for a table whose columns are sets.
class StepRows {
 public:
  explicit StepRows(Session& session) : session_(session) {
    for (const Step& step : kSteps) {
      rows_.push_back({By::ours, fmt::format("ac-dfa counts, {}", step.label), "ms", {}});
    }
  }

  void measure(Subject& subject) {
    if (!session_.gpu_used) return;
    for (std::size_t s = 0; s < std::size(kSteps); ++s) {
      rows_[s].cells.push_back(cell(subject.seconds("ac-dfa", On::gpu, Output::counts, kSteps[s].tuning), 1e3));
    }
  }

  void add_to(Table& table) const {
    if (!session_.gpu_used) return;
    table.rows.insert(table.rows.end(), rows_.begin(), rows_.end());
    table.notes.emplace_back(kStepsNote);
  }

 private:
  Session& session_;
  std::vector<Row> rows_;
};

// Our rows of a table whose columns are sets. `prefix` is put before the labels.
class OurRows {
 public:
  OurRows(Session& session, std::string prefix, std::size_t positions)
      : session_(session), prefix_(std::move(prefix)), times_(std::size(kSearches)), choices_(std::size(kSearches)) {
    for (auto& row : times_) row.resize(positions);
    for (auto& row : choices_) row.resize(positions);
  }

  void measure(Subject& subject, std::size_t position) {
    const On on = session_.gpu_used ? On::gpu : On::core;
    for (std::size_t s = 0; s < std::size(kSearches); ++s) {
      const Search& search = kSearches[s];
      const bool automatic = std::string_view(search.algorithm) == "auto";
      const std::string name = automatic ? subject.automatic(on, search.output) : search.algorithm;
      if (automatic) choices_[s][position] = name;
      const auto* same = std::find_if(kSearches, kSearches + s, [&](const Search& before) {
        return before.algorithm == name && before.output == search.output;
      });
      times_[s][position] = same != kSearches + s ? times_[static_cast<std::size_t>(same - kSearches)][position]
                                                  : cell(subject.seconds(name, on, search.output), 1e3);
    }
  }

  void add_to(Table& table) const {
    for (std::size_t s = 0; s < std::size(kSearches); ++s) {
      const std::string name = kSearches[s].algorithm;
      const char* how = kSearches[s].output == Output::counts ? "counts" : "positions";
      if (name != "auto" && !exists(name)) continue;
      table.rows.push_back({By::ours, fmt::format("{}{}, {}", prefix_, name, how), "ms", times_[s]});
      if (name == "auto") {
        table.rows.push_back({By::ours, fmt::format("{}choice of auto, {}", prefix_, how), "", choices_[s]});
      }
    }
  }

 private:
  Session& session_;
  std::string prefix_;
  std::vector<std::vector<Cell>> times_, choices_;  // a row for each search
};

std::string our_conditions(const Session& session, std::uint32_t positions, const char* patterns = "that differ") {
  return fmt::format(
      "{}; L = {}, random, 2 bits a base, {}; one strand, patterns {}; search alone, {}. Occurrences are "
      "counted for each pattern, or their positions are stored",
      session.chip(), power_of_two(positions), session.gpu_used ? "made on the device" : "in memory", patterns,
      session.runs());
}

constexpr const char* kTwoLetters = "C = 2: ours are the letters A and C, still of 2 bits each.";

void table_2(Session& session) {
  constexpr std::uint32_t kCounts[] = {1000, 4000, 8000, 12000, 16000};
  const Text text = random_text_for(session, session.gpu_used ? 1U << 30 : session.quick ? 1U << 21 : 1U << 24);
  Table table{"xu-2", "Xu and others 2023, Table 2: C = 4, M = 8, L = 2^30; N patterns",
              "TITAN V; text of bytes, kernel alone. OOM: out of memory", our_conditions(session, text.positions)};
  note_size(table, text.positions, 1U << 30);
  table.over = "N =";
  table.rows = {{By::paper, "Aho-Corasick and Wu-Manber", "ms", {141.254, 159.973, 167.325, "OOM", "OOM"}},
                {By::paper, "Opt 1 (Listing 3)", "ms", {28.5521, 38.9457, 53.1077, 51.8932, 50.0971}},
                {By::paper, "Opt 4", "ms", {8.37014, 28.3115, 32.3461, 30.6248, "OOM"}}};
  OurRows ours(session, "", std::size(kCounts));
  StepRows steps(session);
  for (std::size_t c = 0; c < std::size(kCounts); ++c) {
    table.columns.push_back(fmt::format("{}", kCounts[c]));
    Subject subject(session, random_set(kCounts[c], 8), text);
    ours.measure(subject, c);
    steps.measure(subject);
  }
  ours.add_to(table);
  steps.add_to(table);
  session.show(table);
  show_per_clock(
      session, table, kTitanV, [&](const Row&, std::size_t) { return text.bases(); }, text.positions);
}

void table_4(Session& session) {
  constexpr std::uint32_t kLengths[] = {10, 20, 30};
  struct PaperRows {
    std::uint32_t count;
    std::vector<Cell> rabin_karp, opt_4;
  };
  const PaperRows kRows[] = {{4, {3.73, 5.07, 5.08}, {0.601, 0.760, 0.891}},
                             {16, {4.27, 5.12, 5.08}, {0.692, 0.860, 1.02}},
                             {64, {4.90, 5.14, 5.12}, {0.850, 1.04, 1.29}},
                             {256, {5.43, 5.22, 5.18}, {1.01, 1.25, 1.51}}};
  const Text text = random_text_for(session, session.gpu_used ? 1U << 27 : session.quick ? 1U << 21 : 1U << 24, true);
  Table table{"xu-4",
              "Xu and others 2023, Table 4: C = 2, L = 2^27; N patterns of M",
              "Rabin-Karp: Tesla V100, as Nunes and others 2020 give it; Opt 4: TITAN V; text of bytes, kernel alone",
              our_conditions(session, text.positions),
              {kTwoLetters}};
  note_size(table, text.positions, 1U << 27);
  table.over = "M =";
  for (const std::uint32_t length : kLengths) table.columns.push_back(fmt::format("{}", length));
  for (const PaperRows& row : kRows) {
    const std::string prefix = fmt::format("N = {}, ", row.count);
    table.rows.push_back({By::paper, prefix + "Rabin-Karp", "ms", row.rabin_karp});
    table.rows.push_back({By::paper, prefix + "Opt 4", "ms", row.opt_4});
    OurRows ours(session, prefix, std::size(kLengths));
    for (std::size_t c = 0; c < std::size(kLengths); ++c) {
      Subject subject(session, random_set(row.count, kLengths[c], true), text);
      ours.measure(subject, c);
    }
    ours.add_to(table);
  }
  session.show(std::move(table));
}

void table_5(Session& session) {
  constexpr Set kSets[] = {{2, 256, 10}, {2, 256, 30}, {2, 4000, 13}, {2, 400, 30},
                           {4, 256, 10}, {4, 256, 30}, {4, 4000, 8},  {4, 1500, 12}};
  const std::uint32_t positions = session.gpu_used ? 1U << 27 : session.quick ? 1U << 21 : 1U << 24;
  const Text two = random_text_for(session, positions, true);
  const Text four = random_text_for(session, positions);
  Table table{"xu-5",
              "Xu and others 2023, Table 5: each optimisation, C = 2 and 4, L = 2^27; C: N x M",
              "TITAN V; text of bytes, kernel alone",
              our_conditions(session, positions, "that may repeat, as in the paper"),
              {kTwoLetters}};
  note_size(table, positions, 1U << 27);
  const auto paper = [&table](const char* label, std::vector<Cell> cells) {
    table.rows.push_back({By::paper, label, "ms", std::move(cells)});
  };
  paper("Baseline", {35.626, 19.583, 23.758, 15.068, 33.324, 14.151, 10.653, 14.156});
  paper("Baseline-Reordered", {39.520, 46.945, 15.714, 32.247, 60.356, 56.525, 9.803, 16.873});
  paper("CoalecedMem", {31.968, 14.307, 15.044, 11.606, 25.278, 11.374, 9.471, 11.437});
  paper("SharedMem", {1.231, 4.739, 5.333, 6.308, 1.334, 5.442, 4.650, 5.166});
  paper("SharedMem-Reordered", {1.183, 2.749, 5.038, 3.226, 1.242, 3.780, 4.931, 5.786});
  paper("CompactMem", {31.992, 11.041, 7.826, 8.868, 25.110, 9.629, 8.392, 9.680});
  paper("EQLength", {1.018, 1.502, 3.576, 1.552, 0.943, 1.403, 3.573, 1.490});
  OurRows ours(session, "", std::size(kSets));
  StepRows steps(session);
  std::vector<Cell> nodes;
  for (std::size_t c = 0; c < std::size(kSets); ++c) {
    const Set& set = kSets[c];
    table.columns.push_back(fmt::format("{}: {}x{}", set.letters, set.count, set.length));
    Subject subject(session, repeating_set(set.count, set.length, set.letters == 2), set.letters == 2 ? two : four);
    nodes.emplace_back(static_cast<double>(trie_nodes(subject.patterns())));
    ours.measure(subject, c);
    steps.measure(subject);
  }
  ours.add_to(table);
  steps.add_to(table);
  table.rows.push_back({By::paper, "trie", "nodes", {824., 5946., 9438., 9013., 1763., 6855., 11289., 11307.}});
  table.rows.push_back({By::ours, "trie", "nodes", std::move(nodes)});
  session.show(table);
  show_per_clock(
      session, table, kTitanV, [&](const Row&, std::size_t) { return four.bases(); }, positions);
  std::vector<FileSet> of_four;
  for (const Set& set : kSets) {
    if (set.letters != 4) continue;
    of_four.push_back({fmt::format("{}x{}", set.count, set.length), repeating_set(set.count, set.length, false)});
  }
  show_files(session, "xu-files", of_four, positions);
}

}  // namespace

void xu(Session& session) {
  table_2(session);
  table_4(session);
  table_5(session);
}

}  // namespace basesweep::paper
