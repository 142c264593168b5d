// The names and lengths that SAM allows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>

#include "lib/base/record_info.hpp"

namespace basesweep {

inline constexpr std::size_t kMaxSamNameLetters = 254;                                  // of a QNAME
inline constexpr std::int64_t kMaxSamBases = std::numeric_limits<std::int32_t>::max();  // of a reference sequence

// Whether the letter may stand in a QNAME, which is [!-?A-~]{1,254}.
constexpr bool is_sam_query_letter(char c) { return c >= '!' && c <= '~' && c != '@'; }

// Whether the name may be a QNAME. `*` may not: it says that there is no name.
bool is_sam_query_name(std::string_view name);

// Throws DataError for the first record that SAM cannot list: the name is empty, has a letter that is not allowed in an
// RNAME or was used before, or the record is longer than kMaxSamBases. The message names the record, and `path` unless
// that is empty.
void check_sam_records(std::span<const RecordInfo> records, const std::string& path = "");

}  // namespace basesweep
