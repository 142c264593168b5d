// Ashkiani, Amenta, Owens 2016: four kinds of Rabin-Karp with one pattern.
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>

#include "tools/bench/paper/paper.hpp"

namespace basesweep::paper {
namespace {

constexpr const char* kPaper = "Ashkiani, Amenta, Owens 2016, ";
constexpr const char* kTheirChips = "Tesla K40c; CPU: Xeon E5-2637 v2, 8 cores, 16 threads";
constexpr std::uint32_t kPositions = 1U << 25;
constexpr const char* kTheirs =
    "Tesla K40c; CPU: Xeon E5-2637 v2, 8 cores, 16 threads; n = 2^25 characters of one byte";

struct Searcher {
  std::string label;  // the algorithm's name; if there is a GPU, ", 1 core" marks those that run on the CPU
  const char* algorithm;
  On on;
};

// The measured searchers: Rabin-Karp on the GPU and two others on one core, or all on the core if there is no GPU.
std::vector<Searcher> searchers(const Session& session) {
  const On on = session.gpu_used ? On::gpu : On::core;
  std::vector<Searcher> all;
  for (const char* name : {"crk", "drk", "drk-wom32", "drk-wom64", "hrk", "drk2s"}) {
    if (exists(name)) all.push_back({name, name, on});
  }
  if (session.gpu_used) all.push_back({"drk2s, 1 core", "drk2s", On::core});
  all.push_back({session.gpu_used ? "planes, 1 core" : "planes", "planes", On::core});
  return all;
}

// Seconds by label and length of the pattern, on one text.
struct Times {
  Text text;
  std::vector<Searcher> searchers;
  std::map<std::pair<std::string, std::uint32_t>, double> seconds;

  std::optional<double> of(const std::string& label, std::uint32_t length) const {
    const auto found = seconds.find({label, length});
    return found == seconds.end() ? std::nullopt : std::optional(found->second);
  }
};

Times measure(Session& session, Text text, const std::vector<std::uint32_t>& lengths) {
  Times times{std::move(text), searchers(session), {}};
  for (const std::uint32_t length : lengths) {
    Subject subject(session, cut_set(*times.text.batch, 1, length), times.text);
    for (const Searcher& searcher : times.searchers) {
      const std::optional<double> seconds = subject.seconds(searcher.algorithm, searcher.on);
      if (seconds) times.seconds[{searcher.label, length}] = *seconds;
    }
  }
  return times;
}

std::string our_conditions(const Session& session, const Times& times, const char* letters) {
  return fmt::format(
      "{}{}; n = {} {}; 2 bits a base whatever the letters, one pattern cut out of the text, one strand, positions "
      "stored, search alone, {}",
      session.gpu_used ? session.gpu_name + "; 1 core: " : "all on 1 core of ", session.cpu_name,
      power_of_two(times.text.positions), letters, session.runs());
}

Table table_of(const std::string& id, const std::string& what, const std::string& paper, const std::string& ours,
               const std::vector<std::uint32_t>& lengths) {
  Table table{id, kPaper + what, paper, ours};
  table.over = "m =";
  for (const std::uint32_t length : lengths) table.columns.push_back(fmt::format("{}", length));
  return table;
}

enum class Measure { milliseconds, rate };

void add_our_rows(Table& table, const Times& times, const std::vector<std::uint32_t>& lengths, Measure what) {
  for (const Searcher& searcher : times.searchers) {
    Row row{By::ours, searcher.label, what == Measure::rate ? "Gbase/s" : "ms", {}};
    for (const std::uint32_t length : lengths) {
      const std::optional<double> seconds = times.of(searcher.label, length);
      row.cells.push_back(what == Measure::rate ? rate_cell(seconds, times.text) : cell(seconds, 1e3));
    }
    table.rows.push_back(std::move(row));
  }
}

const std::vector<std::uint32_t> kFigure3Lengths = {4,    8,    16,   32,   64,    128,   256,  512,
                                                    1024, 2048, 4096, 8192, 16384, 32768, 65536};
const std::vector<std::uint32_t> kTable2Lengths = {4, 16, 64, 256, 1024};
const std::vector<std::uint32_t> kTable4Lengths = {4, 8, 16, 32, 64, 256, 1024};

struct PaperRates {
  const char* name;
  std::vector<Cell> cells;
};

// Table 2, GB/s.
const std::vector<PaperRates>& binary_cpu_rates() {
  static const std::vector<PaperRates> rates = {{"SRK, CPU", {0.95, 1.11, 1.15, 1.16, 1.16}},
                                                {"SA, CPU", {1.57, 3.41, 4.1, 4.09, 4.01}},
                                                {"AOSO2, CPU", {0.80, 4.25, 4.53, 4.54, 4.54}},
                                                {"HASH5, CPU", {{}, 4.69, 5.25, 5.68, 5.63}},
                                                {"HASH8, CPU", {{}, 4.62, 5.93, 6.33, 5.98}}};
  return rates;
}
const std::vector<PaperRates>& binary_gpu_rates() {
  static const std::vector<PaperRates> rates = {{"CRK", {0.58, 0.58, 0.58, 0.58, 0.58}},
                                                {"DRK", {38.5, 34.91, 24.75, 12.98, 4.86}},
                                                {"DRK-WOM-32bit", {54.84, 64.50, {}, {}, {}}},
                                                {"DRK-WOM-64bit", {52.40, 51.07, 35.06, {}, {}}}};
  return rates;
}

void figure_3a(Session& session, const Times& times) {
  Table table = table_of("ashkiani-3a", "Figure 3a: time over the pattern's length, binary alphabet", kTheirs,
                         our_conditions(session, times, "bases of A and C"), kFigure3Lengths);
  table.notes = {
      "The figure has no numbers: the paper's rows are n divided by the rates of its Table 2. Without modulo, 32 and "
      "64 bits hold 32 and 64 of its characters of 1 bit, but 16 and 32 of our bases of 2 bits."};
  note_size(table, times.text.positions, kPositions);
  for (const PaperRates& rates : binary_gpu_rates()) {
    Row row{By::paper, rates.name, "ms", std::vector<Cell>(kFigure3Lengths.size())};
    for (std::size_t i = 0; i < kTable2Lengths.size(); ++i) {
      const auto at = std::find(kFigure3Lengths.begin(), kFigure3Lengths.end(), kTable2Lengths[i]);
      if (const double* rate = std::get_if<double>(&rates.cells[i])) {
        row.cells[static_cast<std::size_t>(at - kFigure3Lengths.begin())] =
            fmt::format("{:.3g}", (1 << 25) / *rate / 1e6);
      }
    }
    table.rows.push_back(std::move(row));
  }
  add_our_rows(table, times, kFigure3Lengths, Measure::milliseconds);
  session.show(std::move(table));
}

// The shortest length from which on `a` takes no longer than `b`, up to the longest of all.
Cell overtakes(const Times& times, const std::string& a, const std::string& b) {
  std::string from = "never";
  const std::vector<std::uint32_t> lengths(kFigure3Lengths.rbegin(), kFigure3Lengths.rend());
  for (const std::uint32_t length : lengths) {
    const std::optional<double> one = times.of(a, length);
    const std::optional<double> other = times.of(b, length);
    if (!one || !other) continue;
    if (*one > *other) break;
    from = fmt::format("{}", length);
  }
  return from;
}

// The lengths at which `name` is the fastest of `names`, such as "4 - 16".
std::string best_at(const Times& times, const std::vector<std::string>& names, const std::string& name) {
  std::string lengths;
  std::uint32_t first = 0;
  std::uint32_t last = 0;
  const auto close = [&] {
    if (first == 0) return;
    lengths += fmt::format("{}{}", lengths.empty() ? "" : ", ",
                           first == last ? fmt::format("{}", first) : fmt::format("{} - {}", first, last));
    first = 0;
  };
  for (const std::uint32_t length : kFigure3Lengths) {
    const std::optional<double> own = times.of(name, length);
    const bool best = own && std::none_of(names.begin(), names.end(), [&](const std::string& other) {
                        const std::optional<double> seconds = times.of(other, length);
                        return seconds && *seconds < *own;
                      });
    if (!best) {
      close();
      continue;
    }
    if (first == 0) first = length;
    last = length;
  }
  close();
  return lengths.empty() ? "nowhere" : lengths;
}

void crossovers(Session& session, const Times& times) {
  Table table{"ashkiani-crossovers",
              std::string(kPaper) + "section 8.1: lengths from which one algorithm is faster than another or than all",
              "Tesla K40c, n = 2^25, binary; from its text on Figures 3a and 3c, which do not show DRK-2S",
              our_conditions(session, times, "bases of A and C"),
              {},
              "",
              {"m"},
              {{By::paper, "CRK faster than DRK from", "", {"8192"}},
               {By::paper, "CRK faster than HRK from", "", {"512"}},
               {By::paper, "DRK-WOM-32bit is best at", "", {"4 - 32"}},
               {By::paper, "DRK-WOM-64bit is best at", "", {"64"}},
               {By::paper, "DRK is best at", "", {"128 - 4096"}},
               {By::paper, "CRK is best at", "", {"8192 - 65536"}}}};
  note_size(table, times.text.positions, kPositions);
  std::vector<std::string> family;  // the algorithms that the paper compares
  for (const char* name : {"crk", "drk", "drk-wom32", "drk-wom64", "hrk"}) {
    if (exists(name)) family.emplace_back(name);
  }
  for (const char* other : {"drk", "hrk"}) {
    if (!exists("crk") || !exists(other)) continue;
    table.rows.push_back(
        {By::ours, fmt::format("crk faster than {} from", other), "", {overtakes(times, "crk", other)}});
  }
  for (const std::string& name : family) {
    table.rows.push_back({By::ours, name + " is best at", "", {best_at(times, family, name)}});
  }
  family.emplace_back("drk2s");
  table.rows.push_back({By::ours, "drk2s, with them, is best at", "", {best_at(times, family, "drk2s")}});
  session.show(std::move(table));
}

// Our speed-up: the best of the GPU over the best of the CPU.
Row speed_up_row(const Times& times, const std::vector<std::uint32_t>& lengths) {
  Row row{By::ours, "best of GPU / of the core", "x", {}};
  for (const std::uint32_t length : lengths) {
    std::optional<double> gpu;
    std::optional<double> core;
    for (const Searcher& searcher : times.searchers) {
      std::optional<double>& best = searcher.on == On::gpu ? gpu : core;
      const std::optional<double> seconds = times.of(searcher.label, length);
      if (seconds && (!best || *seconds < *best)) best = seconds;
    }
    row.cells.push_back(gpu && core ? Cell(*core / *gpu) : Cell());
  }
  return row;
}

void table_2(Session& session, const Times& times) {
  Table table = table_of("ashkiani-2", "Table 2: rates, binary alphabet", kTheirs,
                         our_conditions(session, times, "bases of A and C"), kTable2Lengths);
  note_size(table, times.text.positions, kPositions);
  for (const PaperRates& rates : binary_cpu_rates()) table.rows.push_back({By::paper, rates.name, "GB/s", rates.cells});
  for (const PaperRates& rates : binary_gpu_rates()) table.rows.push_back({By::paper, rates.name, "GB/s", rates.cells});
  table.rows.push_back({By::paper, "best of GPU / of 8 cores", "x", {34.9, 13.8, 5.9, 2.1, 0.8}});
  add_our_rows(table, times, kTable2Lengths, Measure::rate);
  if (session.gpu_used) table.rows.push_back(speed_up_row(times, kTable2Lengths));
  session.show(table);
  show_per_clock(
      session, table, kTeslaK40c, [&](const Row&, std::size_t) { return times.text.bases(); }, times.text.positions);
}

void table_3(Session& session, const Times& times) {
  Table table = table_of("ashkiani-3", "Table 3: rates, alphabet of 8 bits", kTheirs,
                         our_conditions(session, times, "bases of A, C, G, T"), kTable2Lengths);
  table.notes = {"Ours: an alphabet of 2 bits is all there is."};
  note_size(table, times.text.positions, kPositions);
  const PaperRates kRates[] = {
      {"SA, CPU", {3.96, 4.20, 4.92, 4.91, 5.26}},         {"HASH3, CPU", {2.24, 9.69, 11.16, 12.89, 12.08}},
      {"HASH5, CPU", {{}, 7.22, 10.29, 11.63, 12.21}},     {"HASH8, CPU", {{}, 7.33, 11.56, 10.69, 12.18}},
      {"FJS, CPU", {4.27, 5.80, 7.13, 6.95, 7.77}},        {"SBNDM-BMH, CPU", {4.82, 5.22, 6.90, 7.03, 7.80}},
      {"GRASPm, CPU", {3.89, 5.69, 7.32, 7.01, 8.25}},     {"FS, CPU", {4.01, 6.19, 7.22, 6.70, 8.05}},
      {"SSECP, CPU", {7.66, 9.43, 9.32, 9.71, 9.87}},      {"EPSM, CPU", {7.58, 5.34, 10.35, 12.08, 3.27}},
      {"FSBNDM, CPU", {7.71, 11.00, 12.55, 12.92, 14.59}}, {"EBOM, CPU", {5.49, 8.04, 9.48, 4.18, 2.59}},
      {"DRK", {40.31, 34.94, 24.75, 12.98, 4.86}},         {"DRK-2S", {62.68, 53.77, 53.73, 53.51, 53.04}}};
  for (const PaperRates& rates : kRates) table.rows.push_back({By::paper, rates.name, "GB/s", rates.cells});
  table.rows.push_back({By::paper, "best of GPU / of 8 cores", "x", {8.18, 4.89, 4.28, 4.14, 3.63}});
  add_our_rows(table, times, kTable2Lengths, Measure::rate);
  if (session.gpu_used) table.rows.push_back(speed_up_row(times, kTable2Lengths));
  session.show(std::move(table));
}

void table_4(Session& session, const Times& times, const Times& binary) {
  Table table = table_of("ashkiani-4", "Table 4: rates of DRK-2S over the alphabet's size", kTheirs,
                         our_conditions(session, times, "bases of A, C, G, T"), kTable4Lengths);
  table.notes = {"Ours: an alphabet of 2 bits is all there is; the text of the row of 1 bit has the letters A and C."};
  note_size(table, times.text.positions, kPositions);
  const std::vector<Cell> kRates[] = {
      {52.40, 56.55, 55.04, 49.96, 49.86, 49.74, 49.23}, {59.98, 58.91, 55.75, 51.04, 51.03, 51.01, 50.15},
      {60.57, 58.94, 55.86, 51.13, 51.11, 50.91, 50.45}, {60.58, 58.85, 55.78, 51.09, 51.01, 50.71, 49.82},
      {60.59, 58.88, 53.47, 53.52, 53.44, 53.38, 52.76}, {60.63, 58.94, 52.36, 53.46, 53.42, 53.30, 52.29},
      {60.59, 58.87, 53.50, 53.45, 53.42, 53.18, 52.11}, {62.68, 63.66, 53.77, 53.69, 53.73, 53.51, 53.04}};
  for (std::size_t bits = 1; bits <= std::size(kRates); ++bits) {
    table.rows.push_back({By::paper, fmt::format("DRK-2S, {} bits", bits), "GB/s", kRates[bits - 1]});
  }
  const auto add = [&table](const std::string& label, const std::function<Cell(std::uint32_t)>& rate) {
    Row row{By::ours, label, "Gbase/s", {}};
    for (const std::uint32_t length : kTable4Lengths) row.cells.push_back(rate(length));
    table.rows.push_back(std::move(row));
  };
  add("drk2s, 1 of 2 bits", [&](std::uint32_t length) { return rate_cell(binary.of("drk2s", length), binary.text); });
  add("drk2s, 2 bits", [&](std::uint32_t length) { return rate_cell(times.of("drk2s", length), times.text); });
  if (session.gpu_used) {  // 2^25 bases take no longer than starting a kernel does
    const Text large{1U << 30};
    add("drk2s, 2 bits, n = 2^30", [&](std::uint32_t length) {
      return rate_cell(Subject(session, random_set(1, length), large).seconds("drk2s", On::gpu), large);
    });
  }
  session.show(std::move(table));
}

void table_6(Session& session) {
  const bool file = session.file_text != nullptr;
  constexpr std::uint32_t kGenome = 4'638'720;  // the length of the E. coli genome, rounded to whole words
  const std::uint32_t positions = session.quick && !session.gpu_used ? 1U << 21 : kGenome;
  const Text text = file ? Text{session.file_text->positions(), false, session.file_text} : random_text(positions);
  const Times times = measure(session, text, kTable4Lengths);
  Table table = table_of("ashkiani-6", "Table 6: time on the genome of E. coli",
                         std::string(kTheirChips) + "; 4.6 million characters of one byte",
                         our_conditions(session, times, "bases"), kTable4Lengths);
  table.notes = {file ? "Text: " + session.file_text_name
                      : std::string("Ours is random text; --text FILE takes E. coli or another genome.")};
  note_size(table, text.positions, kGenome, "4.6 million");
  const PaperRates kTimes[] = {{"SA, CPU", {1.10, 1.01, 1.03, 1.01, 0.98, 0.98, 1.00}},
                               {"HASH3, CPU", {1.35, 0.80, 0.60, 0.52, 0.49, 0.46, 0.52}},
                               {"HASH5, CPU", {{}, 1.05, 0.60, 0.54, 0.44, 0.49, 0.45}},
                               {"HASH8, CPU", {{}, 2.74, 0.73, 0.54, 0.45, 0.52, 0.44}},
                               {"FJS, CPU", {1.83, 1.51, 1.55, 1.47, 1.64, 1.59, 1.50}},
                               {"SBNDM-BMH, CPU", {1.32, 1.01, 0.79, 0.56, 0.58, 0.57, 0.65}},
                               {"GRASPm, CPU", {1.36, 1.09, 1.07, 0.83, 0.74, 0.71, 0.67}},
                               {"FS, CPU", {1.37, 1.16, 1.07, 1.02, 0.90, 0.82, 0.72}},
                               {"FSBNDM, CPU", {1.24, 0.88, 0.64, 0.56, 0.54, 0.58, 0.61}},
                               {"EBOM, CPU", {0.96, 0.92, 0.74, 0.65, 0.61, 0.82, 1.21}},
                               {"SSECP, CPU", {0.52, 0.50, 0.74, 0.65, 0.66, 0.65, 0.65}},
                               {"EPSM, CPU", {0.54, 0.76, 0.50, 0.61, 0.50, 0.48, 0.67}},
                               {"DRK", {0.162, 0.121, 0.137, 0.175, 0.264, 0.855, 0.954}},
                               {"DRK-2S", {0.075, 0.077, 0.093, 0.093, 0.093, 0.093, 0.098}}};
  for (const PaperRates& row : kTimes) table.rows.push_back({By::paper, row.name, "ms", row.cells});
  table.rows.push_back({By::paper, "best of GPU / of 8 cores", "x", {6.93, 6.49, 5.38, 5.59, 4.73, 4.94, 4.49}});
  add_our_rows(table, times, kTable4Lengths, Measure::milliseconds);
  if (session.gpu_used) table.rows.push_back(speed_up_row(times, kTable4Lengths));
  session.show(std::move(table));
}

}  // namespace

void ashkiani(Session& session) {
  const std::uint32_t positions = session.gpu_used ? kPositions : session.quick ? 1U << 21 : 1U << 22;
  const Times binary = measure(session, random_text(positions, true), kFigure3Lengths);
  figure_3a(session, binary);
  ashkiani_over_text(session);
  crossovers(session, binary);
  table_2(session, binary);
  const Times bases = measure(session, random_text(positions), kTable4Lengths);
  table_3(session, bases);
  table_4(session, bases, binary);
  session.show({"ashkiani-5",
                std::string(kPaper) + "Tables 5 and 7: time on English text and on proteins",
                kTheirChips,
                "",
                {"Not applicable: text here is nucleotide sequence."}});
  table_6(session);
  std::vector<FileSet> sets;
  for (const std::uint32_t length : kTable2Lengths) sets.push_back({fmt::format("{}", length), random_set(1, length)});
  show_files(session, "ashkiani-files", sets, positions);
}

}  // namespace basesweep::paper
