// The end of files that the program writes and reads again. By it such a file knows its own length, so one that was cut
// off is never taken for a whole one.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "lib/rows/output_format.hpp"

namespace basesweep {

// The first field of the last line of a plan, and of a part in text.
inline constexpr std::string_view kEndMark = "#basesweep-end";

enum class EndForm {
  line,  // kEndMark and hits=N, with a tab between
  sam,   // an unmapped record with the name basesweep-end and the tag CO:Z:hits=N
  bam    // the same record
};

EndForm end_form(OutputFormat format);

// How parts of one form end. No hit reads like an end: names of records and reads hold no tabs, and hits have no tag
// CO.
class PartEnd {
 public:
  explicit PartEnd(EndForm form);

  // The end of a part with this number of hits: a line with its line end, or a BAM record with its size.
  std::string print(std::uint64_t hits) const;
  // The number of hits if the text is an end. `text`: a line with its line end, or a BAM record without its size.
  std::optional<std::uint64_t> parse(std::string_view text) const;

 private:
  EndForm form_;
  std::string before_;  // what stands before the number, without the size of a BAM record
};

}  // namespace basesweep
