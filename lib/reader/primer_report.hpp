// The primers in the output of programs that design them: primer3 and Primer-BLAST.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace basesweep {

// A pair of a report. A sequence is empty where the report has none.
struct ReportedPair {
  // primer3: SEQUENCE_ID, '_' and the number of the pair, from 0; Primer-BLAST: "pair_" and the number, from 1.
  std::string name;
  std::string forward;  // as they are written, 5' to 3'
  std::string reverse;
  std::string probe;     // the internal oligo
  std::size_t line = 0;  // of the pair's first sequence, from 1
  std::size_t reverse_line = 0;
};

// The pairs of a report, in its order; nothing if the text is none: Boulder-IO or the readable output of primer3, or
// the text of Primer-BLAST's page. Throws DataError for a report without primers. `path`: for messages.
std::optional<std::vector<ReportedPair>> read_primer_report(const std::string& path, std::string_view text);

}  // namespace basesweep
