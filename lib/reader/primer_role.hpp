// What the name of a primer says: its pair and its side.
#pragma once

#include <string>

namespace basesweep {

struct PrimerRole {
  std::string pair;  // "": the name has no role
  bool forward = true;
  std::string variant{};  // the side as the name has it: "LEFT_alt1"; "" where sides have no variants
};

// Knows NAME_LEFT and NAME_RIGHT, NAME_L and NAME_R, NAME_F and NAME_R, NAME_fwd and NAME_rev, NAME_forward and
// NAME_reverse, NAME/1 and NAME/2, in either case and also behind '-' or '.', with _alt, _alt1 or _1 behind LEFT and
// RIGHT.
PrimerRole primer_role(const std::string& name);

}  // namespace basesweep
