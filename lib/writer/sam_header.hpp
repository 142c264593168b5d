// The header of SAM and BAM.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "lib/base/circular_records.hpp"
#include "lib/base/record_info.hpp"

namespace basesweep {

struct SamHeader {
  std::string_view order;  // fields of @HD: "SO:coordinate"
  std::span<const RecordInfo> records;
  const CircularRecords* circular = nullptr;  // records with TP:circular; null: none
  std::span<const std::string> md5{};         // M5 of each record; empty: left out
  std::string_view read_group_lines{};        // @RG, each with its line end
  bool program = true;                        // a @PG line
  std::string_view command_line{};            // its CL; empty: none
  std::string_view comment{};                 // a @CO line; empty: none
};

// The header as SAM text: @HD, @SQ, @RG, @PG, @CO.
std::string sam_header_text(const SamHeader& header);

// The header of reads that are not aligned: @HD, then `lines` of the input's header, without line ends, but with
// `read_groups`, which have line ends, in place of its @RG if there are any; and a @PG line that follows the last one
// of the input.
std::string unaligned_header_text(std::span<const std::string> lines, const std::optional<std::string>& read_groups,
                                  std::string_view command_line);

// The header of alignments that were changed: `text`, that of the input, with a @PG line more. Where it says that
// alignments are sorted by coordinate, the order becomes unknown.
std::string changed_header_text(std::string_view text, std::string_view command_line);

// The bytes of a BAM file before its first record, not compressed. Throws DataError when `text` has 2 GB or more.
std::string bam_header(std::string_view text, std::span<const RecordInfo> records);

}  // namespace basesweep
