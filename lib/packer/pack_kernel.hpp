// The hot loop of packing: ASCII to bit-planes. pack_kernel.cpp is compiled once for each instruction set.
#pragma once

#include <cstddef>
#include <cstdint>

#include "lib/isa.hpp"

namespace basesweep {

// Gets stretches of special columns: bit i of `bits` stands for column + i. Columns never decrease.
class ColumnMarks {
 public:
  virtual void add(std::uint32_t column, std::uint64_t bits) = 0;

 protected:
  ~ColumnMarks() = default;
};

// Where packed bases go. `lo` and `hi` need room for one base a byte of text, and one word more.
struct PackTarget {
  std::uint64_t* lo;
  std::uint64_t* hi;
  std::uint32_t columns;  // complete words of it are stored in lo, hi; the rest is in the two words below
  std::uint64_t lo_partial;
  std::uint64_t hi_partial;
  ColumnMarks* not_acgt;
  ColumnMarks* soft_masked;  // may be null: then case is not looked at
};

// Packs [text, end) and returns where it stopped: `end`, or the first byte that is no letter, '-', '*', '.', '\r' or
// '\n'. Bytes up to `readable` (>= end) may be loaded.
using PackFunction = const char* (*)(const char* text, const char* end, const char* readable, PackTarget& target);

PackFunction pack_function(Isa isa);

}  // namespace basesweep
