// Kouzinopoulos, Michailidis, Margaritis 2015: five algorithms for many patterns, each brought to the GPU in four
// stages.
#include <fmt/format.h>

#include <deque>

#include "tools/bench/paper/paper.hpp"

namespace basesweep::paper {
namespace {

struct Variant {
  const char* label;
  Tuning tuning;
};

struct Figure {
  const char* number;
  const char* title;
  const char* algorithm;
  std::vector<Variant> variants;
  Range plain, vector_loads;   // speed-ups of the paper's first and last stage, over all its texts and sets
  std::optional<double> gain;  // the most that the last stage gains over the first
};

const std::vector<Figure>& figures() {
  static const std::vector<Figure> all = {
      {"4.1", "Aho-Corasick", "ac-nfa", {{"supply", {.nfa_walk = NfaWalk::staged}}}, {3.2, 10.9}, {10., 18.5}, 3.5},
      {"4.2", "Set Horspool", "set-horspool", {{"", {}}}, {2.5, 7.5}, {22.1, 33.7}, 8.7},
      {"4.3", "Set Backward Oracle Matching", "sbom", {{"", {}}}, {2.6, 6.3}, {16.1, 33.7}, 8.2},
      {"4.4",
       "Wu-Manber",
       "wu-manber",
       {{"B = 2", {.block = 2}}, {"B = 3", {.block = 3}}, {"our B", {}}},
       {{}, 5.9},
       {{}, 11.8},
       6.1},
      {"4.5", "SOG", "sog", {{"q = 3", {.block = 3}}, {"q = 8", {.block = 8}}}, {{}, 5.7}, {{}, 8.9}, {}}};
  return all;
}

struct Set {
  std::uint32_t count, length;
};
// Characters of the paper's texts: the CIA World Fact Book, Swiss Prot.
constexpr std::uint32_t kMinText = 1'914'500;
constexpr std::uint32_t kMaxText = 177'660'096;

constexpr Set kSets[] = {{1000, 8}, {1000, 32}, {8000, 8}, {8000, 32}};
constexpr std::size_t kStageCount = std::size(kStages);

std::string set_name(const Set& set) { return fmt::format("{}x{}", set.count, set.length); }

// A set on a text.
struct Search {
  std::string name;
  Subject subject;

  Search(Session& session, const Set& set, const Text& text, const std::string& text_name)
      : name(set_name(set) + text_name), subject(session, cut_set(*text.batch, set.count, set.length), text) {}
};

std::string conditions(const Session& session, const Text& text) {
  return fmt::format("{}{}; search alone, {}, positions stored; {} bases of {}; patterns cut out of it",
                     session.gpu_used ? session.gpu_name + " over 1 core of " : "1 core of ", session.cpu_name,
                     session.runs(), power_of_two(text.positions),
                     session.file_text != nullptr ? session.file_text_name : "random text (--text: a genome)");
}

// The columns of a figure's table: the stages' speed-ups over the core, what the last gains over the first, the rates
// of the core and the stages, then what preprocessing takes and the speed-up with it.
constexpr std::size_t kGainColumn = kStageCount;
constexpr std::size_t kRatesColumn = kGainColumn + 1;
constexpr std::size_t kMakingColumn = kRatesColumn + 1 + kStageCount;
constexpr std::size_t kWholeColumn = kMakingColumn + 2;

std::vector<std::string> stage_columns() {
  std::vector<std::string> columns;
  for (std::size_t s = 1; s <= kStageCount; ++s) columns.push_back(fmt::format("stage {}, x", s));
  columns.insert(columns.end(), {"gain, x", "Gbase/s: core"});
  for (std::size_t s = 1; s <= kStageCount; ++s) columns.push_back(fmt::format("stage {}", s));
  columns.insert(columns.end(), {"prep., ms: core", "GPU", "with prep., x"});
  return columns;
}

std::vector<Cell> measure_stages(const Session& session, const Figure& figure, const Tuning& tuning, Subject& subject) {
  std::vector<Cell> cells(kWholeColumn + 1);
  std::optional<double> first;
  std::optional<double> last;
  const std::optional<double> core = subject.seconds(figure.algorithm, On::core, Output::occurrences, tuning);
  const std::optional<double> making = subject.making_seconds(figure.algorithm, On::core, tuning);
  cells[kRatesColumn] = rate_cell(core, subject.text());
  cells[kMakingColumn] = cell(making, 1e3);
  for (std::size_t s = 0; s < kStageCount; ++s) {
    std::optional<double> gpu;
    Tuning staged = tuning;
    staged.stage = kStages[s];
    if (session.gpu_used) gpu = subject.seconds(figure.algorithm, On::gpu, Output::occurrences, staged);
    if (core && gpu) cells[s] = *core / *gpu;
    if (s == 0) first = gpu;
    last = gpu;
    cells[kRatesColumn + 1 + s] = rate_cell(gpu, subject.text());
  }
  if (!core || !first || !last) return cells;
  cells[kGainColumn] = *first / *last;
  const double making_gpu = subject.making_seconds(figure.algorithm, On::gpu, tuning).value();
  cells[kMakingColumn + 1] = making_gpu * 1e3;
  cells[kWholeColumn] = (*core + making.value()) / (*last + making_gpu);
  return cells;
}

Table stages_table(Session& session, const Figure& figure, std::deque<Search>& searches) {
  Table table{
      "kouz-" + std::string(figure.number),
      fmt::format("Kouzinopoulos, Michailidis, Margaritis 2015, Figure {}: {}; speed-up over one CPU core",
                  figure.number, figure.title),
      "GTX 280 over a Xeon at 2.4 GHz, preprocessing included; genomes, proteins, English, random 0/1; 1,000 and "
      "8,000 patterns of 8 and 32. Its text gives ranges over all of them; the figures have no numbers, and "
      "preprocessing "
      "has none of its own",
      conditions(session, searches.front().subject.text()),
      {"Stages: 1 text and tables read from device memory; 2 tables through the read-only path; 3 also text through "
       "shared memory; 4 also in loads of 16 bytes. Gain: of stage 4 over stage 1. Binary: random "
       "text of A and C.",
       fmt::format(
           "Prep.: making the tables from the patterns, for the GPU with their copy to its memory, median of {}. "
           "With prep.: stage 4 over the core, each with its preprocessing, as the paper measures.",
           Session::kMakingRuns)}};
  note_size(table, searches.front().subject.text().positions, kMinText, kMaxText);
  table.columns = stage_columns();
  std::vector<Cell> paper(table.columns.size());
  paper[0] = figure.plain;
  paper[kStageCount - 1] = figure.vector_loads;
  if (session.gpu_used) paper[kWholeColumn] = figure.vector_loads;
  if (figure.gain) paper[kGainColumn] = Range{{}, *figure.gain};
  table.rows.push_back({By::paper, "all sets and texts", "", std::move(paper)});
  if (!exists(figure.algorithm)) return table;
  for (Search& search : searches) {
    for (const Variant& variant : figure.variants) {
      const std::string how = *variant.label == '\0' ? "" : std::string(", ") + variant.label;
      table.rows.push_back({By::ours, fmt::format("{} {}{}", figure.algorithm, search.name, how), "",
                            measure_stages(session, figure, variant.tuning, search.subject)});
    }
  }
  return table;
}

// Algorithms that search the same sets here but are not in the paper.
Table others_table(Session& session, std::deque<Search>& searches) {
  Table table{"kouz-others", "Other algorithms of ours on the same sets", "has none of these",
              conditions(session, searches.front().subject.text())};
  for (const Search& search : searches) table.columns.push_back(search.name);
  for (const char* algorithm : {"ac-nfa", "ac-dfa", "qgrams"}) {
    for (const On on : {On::core, On::gpu}) {
      if (!exists(algorithm) || (on == On::gpu && !session.gpu_used)) continue;
      Row row{By::ours, fmt::format("{}, {}", algorithm, on == On::core ? "core" : "GPU"), "Gbase/s", {}};
      for (Search& search : searches) {
        row.cells.push_back(rate_cell(search.subject.seconds(algorithm, on), search.subject.text()));
      }
      table.rows.push_back(std::move(row));
    }
  }
  return table;
}

// How many positions a thread scans, for windows that skip most of them.
void show_stretches(Session& session) {
  constexpr std::uint32_t kLengths[] = {32, 64, 100, 200, 254};
  constexpr std::uint32_t kStretches[] = {96, 160, 192, 224, 288, 352, 544, 0};
  const Text text = random_text_for(session, session.quick ? 1U << 28 : 1U << 30);
  Table table{"kouz-stretches", "Positions that a thread scans in a row, by the length of 1,000 patterns",
              "gives each thread a part of equal size, whatever the patterns",
              fmt::format("{}; search alone, {}, positions stored; {} random bases, one strand", session.chip(),
                          session.runs(), power_of_two(text.positions))};
  table.over = "patterns of";
  for (const char* algorithm : {"wu-manber", "sbom"}) {
    for (const Stage stage : {Stage::plain, Stage::vector_loads}) {
      for (const std::uint32_t stretch : kStretches) {
        const std::string positions = stretch == 0 ? "as chosen" : fmt::format("{}", stretch);
        table.rows.push_back({By::ours,
                              fmt::format("{}, stage {}, {}", algorithm, stage == Stage::plain ? 1 : 4, positions),
                              "Gbase/s",
                              {}});
      }
    }
  }
  for (const std::uint32_t length : kLengths) {
    table.columns.push_back(fmt::format("{}", length));
    Subject subject(session, random_set(1000, length), text);
    auto row = table.rows.begin();
    for (const char* algorithm : {"wu-manber", "sbom"}) {
      for (const Stage stage : {Stage::plain, Stage::vector_loads}) {
        for (const std::uint32_t stretch : kStretches) {
          const Tuning tuning{.stage = stage, .stretch = stretch};
          row++->cells.push_back(rate_cell(subject.seconds(algorithm, On::gpu, Output::occurrences, tuning), text));
        }
      }
    }
  }
  session.show(std::move(table));
}

}  // namespace

void kouz(Session& session) {
  const std::uint32_t positions = !session.quick ? 1U << 25 : session.gpu_used ? 1U << 23 : 1U << 21;
  const Text text = session.file_text != nullptr ? Text{session.file_text->positions(), false, session.file_text}
                                                 : random_text(positions);
  std::deque<Search> searches;
  for (const Set& set : kSets) searches.emplace_back(session, set, text, "");
  const Text binary = random_text(positions, true);
  for (const Set& set : kSets) {
    if (set.length == 32) searches.emplace_back(session, set, binary, " binary");  // there are but 256 of 8
  }
  for (const Figure& figure : figures()) session.show(stages_table(session, figure, searches));
  session.show(others_table(session, searches));
  if (session.gpu_used && session.file_text == nullptr) show_stretches(session);
  std::vector<FileSet> sets;
  for (const Set& set : kSets) sets.push_back({set_name(set), random_set(set.count, set.length)});
  show_files(session, "kouz-files", sets, positions);
}

}  // namespace basesweep::paper
