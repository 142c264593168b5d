// The results of `count`, and its tables.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "lib/counting/guide_counter.hpp"
#include "lib/counting/library.hpp"
#include "lib/counting/start_finder.hpp"
#include "lib/rows/output_format.hpp"

namespace basesweep {

// A file of reads, and where guides were looked for in it.
struct InputStarts {
  std::string path;  // as messages name it
  std::uint32_t sample = 0;
  StrandWindows windows{};
  std::optional<FoundStarts> found{};  // in its first reads, if those were looked at
};

struct CountResult {
  const GuideLibrary& library;
  StrandChoice strands;
  const std::vector<SampleCounts>& samples;
  const std::vector<InputStarts>& inputs;
  bool molecules = false;  // SampleCounts::guides are molecules
};

// A row for each guide: its name, its gene if the library has genes, and its count in each sample. `format`: tsv, csv
// or mageck.
std::string guide_table(const GuideLibrary& library, const std::vector<SampleCounts>& samples, OutputFormat format);

// A row for each sample with its totals, as TSV. `molecules`: with columns of UMIs.
std::string sample_table(const std::vector<SampleCounts>& samples, bool molecules);

// "3", "0-7", or "any".
std::string print_window(StartWindow window);

}  // namespace basesweep
