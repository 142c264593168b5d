// What make_matcher() throws where an algorithm asked for by name does not take the patterns.
#pragma once

#include "lib/error.hpp"

namespace basesweep {

class Declined : public UsageError {
 public:
  using UsageError::UsageError;
};

}  // namespace basesweep
