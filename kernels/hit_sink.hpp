// Where CPU kernels send what they find: exact matches that the text owns once each, ends at least once, and what
// else they like outside of what it owns. Free of the standard library, for sources compiled once for each instruction
// set.
#pragma once

#include <cstdint>

namespace basesweep {

class HitSink {
 public:
  // Bit i of `bits`: `entry` matches the planes at column + i. `column` is a multiple of 64.
  virtual void word(std::uint32_t column, std::uint32_t entry, std::uint64_t bits) = 0;
  // `entry` matches the planes at `column`.
  virtual void hit(std::uint32_t column, std::uint32_t entry) = 0;

 protected:
  ~HitSink() = default;
};

}  // namespace basesweep
