// Thrown by make_matcher() if a named algorithm does not take the patterns.
#pragma once

#include "lib/base/error.hpp"

namespace basesweep {

class Declined : public UsageError {
 public:
  using UsageError::UsageError;
};

}  // namespace basesweep
