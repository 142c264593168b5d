// One record of SAM or BAM.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "lib/align/trace.hpp"
#include "lib/writer/formatter.hpp"

namespace basesweep {

// A place on the reference, or none.
struct SamPlace {
  std::int32_t reference = -1;  // index in the header; -1: none
  std::string_view name = "*";  // its name
  std::int64_t start = -1;      // 0-based
};

// Tags of an aligned record.
struct SamAlignmentTags {
  std::uint32_t differences;             // NM
  std::string_view text;                 // MD
  std::optional<std::int64_t> score{};   // AS
  std::optional<std::uint64_t> found{};  // NH
  std::uint32_t edits;                   // XE
};

// What is left out is not known.
struct SamRecord {
  std::string_view name;
  unsigned flag = 0;
  SamPlace place{};
  std::int64_t end = 0;  // behind the last base, of an aligned record
  unsigned mapq = 0;
  std::span<const CigarRun> cigar{};
  SamPlace mate{};
  std::int64_t template_length = 0;
  std::string_view letters{};    // as they are printed, on the forward strand
  std::string_view qualities{};  // one a letter, from ! on
  std::optional<SamAlignmentTags> alignment{};
  std::string_view read_group{};  // RG
};

// A line, its end included.
void append_sam(const SamRecord& record, Text& text);

// As in a BAM file that is not yet compressed, its size in front. At most 65,535 CIGAR runs, which may count 2^28 - 1.
void append_bam(const SamRecord& record, Text& text);

}  // namespace basesweep
