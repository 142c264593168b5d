// What merging has to know of a hit that is already printed.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "lib/merge/part_file.hpp"
#include "lib/writer/formatter.hpp"

namespace basesweep {

struct PrintedHit {
  std::string_view record;
  std::int64_t start;
  std::int64_t end;
  std::string_view pattern;
  bool minus;
  std::uint32_t edits = 0;
  std::int64_t number = 0;  // of the record, where names do not tell records apart
};

// `text`: a line of BED, TSV or SAM, or a record of BAM behind its size; `more`: columns that BED and TSV have for
// merging. Nothing where it is not well formed.
std::optional<PrintedHit> parse_hit(PartKind kind, MergeColumns more, std::string_view text);

// A line of BED or TSV, its line end included, without these columns and its line end.
std::string_view without(MergeColumns more, PartKind kind, std::string_view line);

// SAM and BAM: makes an alignment secondary.
void make_secondary(PartKind kind, std::string& text);

}  // namespace basesweep
