// The options that say what a line of the output has, and the formats that have room for it.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "lib/rows/output_format.hpp"

namespace basesweep {

// Whether an option with this value ("--eqx", "") has a use in this format. Options of another kind have one in all.
bool has_room(OutputFormat format, std::string_view option, std::string_view value);

// Throws UsageError for an option that has none. `is_given`: whether the command line gives an option.
void check_format_options(const std::function<bool(const std::string& option)>& is_given, OutputFormat format);

}  // namespace basesweep
