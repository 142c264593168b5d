// What merging has to know of a hit that is already printed.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "lib/merge/part_file.hpp"

namespace basesweep {

struct PrintedHit {
  std::string_view record;
  std::int64_t start;
  std::int64_t end;
  std::string_view pattern;
  bool minus;
  std::uint32_t edits;
};

// `text`: a line of BED, TSV or SAM, or a record of BAM behind its size. Nothing where it is not well formed.
std::optional<PrintedHit> parse_hit(PartKind kind, std::string_view text);

// BED without the column of edits, if it has one.
std::string_view without_edits(std::string_view line);

// SAM and BAM: makes an alignment secondary.
void make_secondary(PartKind kind, std::string& text);

}  // namespace basesweep
