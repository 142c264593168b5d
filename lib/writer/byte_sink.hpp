// The interface that takes formatted output.
#pragma once

#include <string_view>

namespace basesweep {

class ByteSink {
 public:
  virtual ~ByteSink() = default;
  // `bytes`: the output's next bytes, always whole hits.
  virtual void write(std::string_view bytes) = 0;
};

}  // namespace basesweep
