// Names of records that formats of lines can hold. (SAM has rules of its own: sam_names.hpp.)
#pragma once

#include <string>
#include <string_view>

namespace basesweep {

enum class NameRule {
  any,    // nothing is written of a record's name, or the format has rules of its own
  named,  // the format escapes names; every record needs one
  text,   // nor control characters
  line,   // the same, in a format in whose place CSV can be chosen, which holds them
  bed,    // the same, nor a start by which readers of BED take the line for a comment or a track line
};

// The reason why the name must not be written, with what to do; "" when it may. Says nothing of an empty name.
std::string name_fault(std::string_view name, NameRule rule);

}  // namespace basesweep
