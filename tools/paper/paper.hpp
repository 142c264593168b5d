// What the tables of all papers share: texts, pattern sets, and the one way to measure.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/tuning.hpp"
#include "lib/matcher.hpp"
#include "tools/bench_support.hpp"
#include "tools/paper/table.hpp"

namespace basesweep::paper {

// What a run measures with, and what it found.
struct Session {
  bool gpu_used = false;  // else the CPU alone
  int gpu = 0;
  bool quick = false;
  std::string gpu_name, cpu_name;
  std::shared_ptr<const PackedBatch> file_text;  // of --text, or null
  std::string file_text_name;

  // Prints a table and keeps it.
  void show(Table table);
  // Tells of a result that differs from another's; the run will fail.
  void tell_wrong(const std::string& what);
  // Where tables of GPU kernels are measured here.
  std::string chip() const { return gpu_used ? gpu_name : "1 core of " + cpu_name; }
  // How often the GPU searches, a core at least. What a figure is the median of, in words.
  int gpu_runs() const { return quick ? 5 : 21; }
  static constexpr int kLeastCoreRuns = 3;
  std::string runs() const;

  Results results{};
};

enum class On { gpu, core };  // a core: one thread, text in memory

// What a table's algorithms search.
struct Text {
  std::uint32_t columns;
  bool two_letters = false;
  std::shared_ptr<const PackedBatch> batch{};  // null: the GPU makes its own random bases

  double bases() const { return columns; }
};

Text random_text(std::uint32_t columns, bool two_letters = false);
// Random bases that a table's only device makes or is given.
Text random_text_for(const Session& session, std::uint32_t columns, bool two_letters = false);
// "2^27", or as a number.
std::string power_of_two(std::uint32_t columns);

// Patterns that differ, of random bases: `count` strands of `length`.
PatternSet random_set(std::uint32_t count, std::uint32_t length, bool two_letters = false);
// Likewise, cut out of a text at random places without N. Throws DataError where it has too few.
PatternSet cut_set(const PackedBatch& text, std::uint32_t count, std::uint32_t length);

// Nodes of the patterns' trie, the root among them.
std::size_t trie_nodes(const PatternSet& patterns);

// Reads FASTA or FASTQ files, plain or compressed, into one batch. Throws IoError, DataError.
std::shared_ptr<const PackedBatch> load_text(const std::vector<std::string>& paths);

bool exists(std::string_view algorithm);

// One pattern set on one text. All that search it must find as many hits, and count as many of each pattern.
class Subject {
 public:
  Subject(Session& session, PatternSet patterns, Text text);
  Subject(const Subject&) = delete;
  Subject& operator=(const Subject&) = delete;

  // The median of several runs; nothing where there is no such algorithm or it does not take the patterns.
  std::optional<double> seconds(std::string_view algorithm, On on, Output output = Output::hits,
                                const Tuning& tuning = {});
  // What `auto` would take.
  std::string automatic(On on, Output output) const;

  const PatternSet& patterns() const { return patterns_; }
  const Text& text() const { return text_; }

 private:
  struct Measured {
    double seconds;
    std::uint64_t hits;
    std::vector<std::uint64_t> counts;
  };
  Measured measure(Algorithm algorithm, On on, Output output, const Tuning& tuning) const;
  void compare(const std::string& who, const Measured& measured);

  Session& session_;
  const PatternSet patterns_;
  const Text text_;
  std::string first_, first_counting_;  // whom others are compared with
  std::uint64_t hits_ = 0;
  std::vector<std::uint64_t> counts_;
};

// Has a table of the paper's times say so where our text is longer or shorter than the paper's, by more than a
// hundredth.
void note_size(Table& table, std::uint32_t columns, std::uint32_t paper_columns);
void note_size(Table& table, std::uint32_t columns, std::uint32_t paper_least, std::uint32_t paper_most);

// For cells: nothing where there is no figure.
Cell cell(const std::optional<double>& value, double factor = 1);
Cell rate_cell(const std::optional<double>& seconds, const Text& text);  // Gbase/s

// One a paper; each shows its tables.
void charan(Session& session);
void kouz(Session& session);
void xu(Session& session);
void ashkiani(Session& session);
void man(Session& session);

}  // namespace basesweep::paper
