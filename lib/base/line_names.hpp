// Names of records that formats of lines can hold. (SAM has rules of its own: sam_names.hpp.)
#pragma once

#include <string>
#include <string_view>

namespace basesweep {

enum class NameRule {
  any,   // the format escapes names, or has rules of its own
  text,  // no control characters
  bed,   // nor a begin by which readers of BED take the line for a comment or a track line
};

// The reason why the name must not be written, with what to do; "" when it may.
std::string name_fault(std::string_view name, NameRule rule);

}  // namespace basesweep
