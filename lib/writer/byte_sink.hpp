// Where printed bytes go.
#pragma once

#include <string_view>

namespace basesweep {

class ByteSink {
 public:
  virtual ~ByteSink() = default;
  // Of what a formatter has printed, whole hits at a time.
  virtual void write(std::string_view bytes) = 0;
};

}  // namespace basesweep
