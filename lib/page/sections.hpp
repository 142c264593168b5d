// The sections of a page, by command: what a run searched and what it found. Each reads what the report has.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "lib/page/bands.hpp"
#include "lib/page/pieces.hpp"

namespace basesweep {

// Command line, parameters, inputs, outputs, machine and time.
std::string about_run(const RunView& run);
// The table of inputs, and what was searched.
std::string searched_text(const RunView& run);
// The longest records with the density of hits; "" where the report has none. `noun`: what is counted, "hit".
std::string records_figure(const RunView& run, const std::string& noun);
// An element of `records.listed` as a bar. `noun`: what is counted.
RecordBar bar_of(const Value& record, const std::string& noun);
// A bar of the strands, if both were searched; and the sentence that says which were not, or "".
std::string strands_figure(const RunView& run);
std::string strands_note(const RunView& run);

std::string show_patterns(const RunView& run);  // motif, match
std::string show_pairs(const RunView& run);     // pcr
std::string show_matrices(const RunView& run);  // pwm
std::string show_guides(const RunView& run);
std::string show_mapping(const RunView& run);
std::string show_demux(const RunView& run);
std::string show_trim(const RunView& run);
std::string show_counts(const RunView& run);

// A number of a run that matters, for tiles and for the table of several runs.
struct KeyNumber {
  std::string name;
  std::string shown;
  double value;  // to sort by
};
std::vector<KeyNumber> key_numbers(const RunView& run);

// Several runs: a table for each command with the runs' key numbers, and the hits of each pattern, pair or matrix in
// each run. `names`: of the runs.
std::string compare_runs(const std::vector<RunView>& runs, const std::vector<std::string>& names);

// The sum of a number of all inputs; nothing where no input has it.
std::optional<std::uint64_t> sum_of_inputs(const RunView& run, const char* key);
// The hits of a pattern, pair or matrix on both strands.
inline std::uint64_t hits_of(const Value& row) { return row.get("counts").sum(); }
// The numbers of the rows with the most hits, `most` at most, those with more hits first; ties in their order.
std::vector<std::size_t> rows_by_hits(const std::vector<std::uint64_t>& hits, std::size_t most);

}  // namespace basesweep
