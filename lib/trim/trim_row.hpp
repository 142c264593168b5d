// The table of reads.
#pragma once

#include <string>

#include "lib/trim/read_state.hpp"
#include "lib/trim/trim_settings.hpp"

namespace basesweep {

// Its header line.
extern const char* const kTrimColumns;

void append_trim_row(const TrimSettings& settings, const ReadState& state, TrimReason reason, std::string& rows);

}  // namespace basesweep
