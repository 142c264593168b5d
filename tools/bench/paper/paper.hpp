// The parts that the tables of all papers share: texts, pattern sets and the way they are measured.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/room.hpp"
#include "kernels/tuning.hpp"
#include "tools/bench/paper/table.hpp"
#include "tools/bench/support.hpp"

namespace basesweep::paper {

// The devices and texts of a run, and its results.
struct Session {
  bool gpu_used = false;  // otherwise only the CPU
  int gpu = 0;
  bool quick = false;
  std::string gpu_name, cpu_name;
  std::shared_ptr<const PackedBatch> file_text;  // the text of --text, or null
  std::string file_text_name;

  // Prints a table and keeps it.
  void show(Table table);
  // Reports a result that differs from another one; the run will fail.
  void report_wrong(const std::string& what);
  // The device that measures tables of GPU kernels.
  std::string chip() const { return gpu_used ? gpu_name : "1 core of " + cpu_name; }
  // The number of searches on a GPU, and the smallest number on a core. runs() says it in words.
  int gpu_runs() const { return quick ? 5 : 21; }
  static constexpr int kMinCoreRuns = 3;
  static constexpr int kMakingRuns = 5;
  std::string runs() const;

  Results results{};
};

enum class On { gpu, core };  // core: one thread, text in memory

// The text that a table's algorithms search.
struct Text {
  std::uint32_t positions;
  bool two_letters = false;
  std::shared_ptr<const PackedBatch> batch{};  // null: the GPU makes its own random bases

  double bases() const { return positions; }
};

Text random_text(std::uint32_t positions, bool two_letters = false);
// A random text, which the GPU makes itself if it is the only device of a table.
Text random_text_for(const Session& session, std::uint32_t positions, bool two_letters = false);
// "2^27" for a power of two, otherwise the number.
std::string power_of_two(std::uint32_t positions);

// `count` different patterns of `length` random bases.
PatternSet random_set(std::uint32_t count, std::uint32_t length, bool two_letters = false);
// The same, but patterns may be drawn more than once.
PatternSet repeating_set(std::uint32_t count, std::uint32_t length, bool two_letters);
// `count` different patterns of `length` bases, cut from a text at random places without N. Throws DataError if it has
// too few.
PatternSet cut_set(const PackedBatch& text, std::uint32_t count, std::uint32_t length);

// Number of nodes of the patterns' trie, including the root.
std::size_t trie_nodes(const PatternSet& patterns);

// Reads FASTA or FASTQ files, plain or compressed, into one batch. Throws IoError, DataError.
std::shared_ptr<const PackedBatch> load_text(const std::vector<std::string>& paths);

bool exists(std::string_view algorithm);

// One pattern set on one text. All algorithms must find the same number of hits, and the same number per pattern.
class Subject {
 public:
  Subject(Session& session, PatternSet patterns, Text text);
  Subject(const Subject&) = delete;
  Subject& operator=(const Subject&) = delete;

  // The median time of several runs; nothing if the algorithm does not exist or declines the patterns.
  std::optional<double> seconds(std::string_view algorithm, On on, Output output = Output::occurrences,
                                const Tuning& tuning = {});
  // The median time to make the algorithm's tables from the patterns, on a GPU with their copy to its memory.
  std::optional<double> making_seconds(std::string_view algorithm, On on, const Tuning& tuning) const;
  // The algorithm that `auto` would choose.
  std::string automatic(On on, Output output) const;

  const PatternSet& patterns() const { return patterns_; }
  const Text& text() const { return text_; }

 private:
  struct Measured {
    double seconds;
    std::uint64_t hits;
    std::vector<std::uint64_t> counts;
  };
  // The patterns in the form that rooms take them, for this run's GPU.
  RoomOptions on_gpu(Output output, const Tuning& tuning) const;
  Measured measure(Algorithm algorithm, On on, Output output, const Tuning& tuning) const;
  void compare(const std::string& who, const Measured& measured);

  Session& session_;
  const PatternSet patterns_;
  const Text text_;
  std::string first_, first_counting_;  // the algorithm that others are compared with
  std::uint64_t hits_ = 0;
  std::vector<std::uint64_t> counts_;
};

// Adds a note to a table of times if our text is more than 1% longer or shorter than the paper's. `as_printed`: the
// paper's size in its own words, where it is rounded.
void note_size(Table& table, std::uint32_t positions, std::uint32_t paper_positions,
               const std::string& as_printed = "");
void note_size(Table& table, std::uint32_t positions, std::uint32_t paper_min, std::uint32_t paper_max);

// Cells of a table; empty if there is no figure.
Cell cell(const std::optional<double>& value, double factor = 1);
Cell rate_cell(const std::optional<double>& seconds, const Text& text);  // Gbase/s

// A chip that a paper measured.
struct PaperChip {
  const char* name;
  int processors;
  double gigahertz;
};
inline constexpr PaperChip kTitanV{"TITAN V", 80, 1.455};
inline constexpr PaperChip kTeslaK40c{"Tesla K40c", 15, 0.745};
inline constexpr PaperChip kGtx580{"GTX 580", 16, 1.544};

// The bases, or cells of a matrix, that a cell of a table is about; 0: it is no time or rate.
using Work = std::function<double(const Row& row, std::size_t column)>;

// Shows the rows of a GPU per processor and clock, and ours as shares of the roof for a text of `roof_positions`.
void show_per_clock(Session& session, const Table& table, const PaperChip& theirs, const Work& work,
                    std::optional<std::uint32_t> roof_positions);

struct FileSet {
  std::string name;
  PatternSet patterns;
};
// Shows the time of jobs on a file of random bases.
void show_files(Session& session, const std::string& id, const std::vector<FileSet>& sets, std::uint32_t positions,
                bool two_letters = false);

// One function per paper; each measures and prints its tables.
void charan(Session& session);
void kouz(Session& session);
void xu(Session& session);
void ashkiani(Session& session);
void man(Session& session);
// The part of ashkiani() that is over the text's length.
void ashkiani_over_text(Session& session);

}  // namespace basesweep::paper
