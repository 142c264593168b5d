// Writes one record of SAM or BAM.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "lib/align/trace.hpp"
#include "lib/base/cigar_codes.hpp"
#include "lib/writer/formatter.hpp"

namespace basesweep {

// Bits of FLAG, for sources that have no HTSlib.
namespace sam_flag {
inline constexpr unsigned paired = 1;
inline constexpr unsigned proper_pair = 2;
inline constexpr unsigned reverse = 16;
inline constexpr unsigned mate_reverse = 32;
inline constexpr unsigned read1 = 64;
inline constexpr unsigned read2 = 128;
inline constexpr unsigned secondary = 256;
}  // namespace sam_flag

inline constexpr unsigned kUnknownMapq = 255;

// A place on the reference, or no place.
struct SamPlace {
  std::int32_t reference = -1;  // index of the record in the header; -1: no place
  std::string_view name = "*";  // of that record
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

// The fields of a record. Fields left at their default are written as unknown.
struct SamRecord {
  std::string_view name;
  unsigned flag = 0;
  SamPlace place{};
  std::int64_t end = 0;  // of an aligned record: exclusive end on the reference, 0-based
  unsigned mapq = 0;
  std::span<const CigarRun> cigar{};
  SamPlace mate{};
  std::int64_t template_length = 0;
  std::string_view letters{};    // SEQ: on the forward strand
  std::string_view qualities{};  // QUAL: one character for each letter, '!' for 0
  std::optional<SamAlignmentTags> alignment{};
  std::string_view read_group{};  // RG
  std::string_view last_tags{};   // as they are written, see standing_tags()
};

// Appends a line of SAM.
void append_sam(const SamRecord& record, Text& text);

// Appends a BAM record, not compressed, with its size first. The CIGAR may have at most 65,535 runs, each of at most
// 2^28 - 1 positions.
void append_bam(const SamRecord& record, Text& text);

}  // namespace basesweep
