// The header of SAM and BAM.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>

#include "lib/record_info.hpp"

namespace basesweep {

inline constexpr std::size_t kMostSamNameLetters = 254;
inline constexpr std::int64_t kMostSamBases = std::numeric_limits<std::int32_t>::max();

// Whether a query may have this name: [!-?A-~]{1,254}, but not *, which means that there is none.
constexpr bool is_sam_query_letter(char c) { return c >= '!' && c <= '~' && c != '@'; }
bool is_sam_query_name(std::string_view name);

// Throws DataError naming a record, and the file where that is known, whose name SAM does not allow or that was there
// before, or that has 2^31 bases or more.
void check_sam_records(std::span<const RecordInfo> records, const std::string& path = "");

struct SamHeader {
  std::string_view order;  // fields of @HD: "SO:coordinate"
  std::span<const RecordInfo> records;
  std::span<const std::string> md5{};  // of each record; empty: not told
  std::string_view read_group_line{};  // its end included
  bool program = true;                 // a @PG line
  std::string_view command_line{};     // its CL; empty: none
  std::string_view comment{};          // a @CO line; empty: none
};

std::string sam_header_text(const SamHeader& header);

// What a BAM file begins with, not yet compressed. Throws DataError when there are more records than it can hold.
std::string bam_header(std::string_view text, std::span<const RecordInfo> records);

}  // namespace basesweep
