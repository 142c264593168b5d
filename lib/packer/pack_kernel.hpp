// The hot loop of packing: ASCII to bit-planes. pack_kernel.cpp is compiled once for each instruction set.
#pragma once

#include <cstddef>
#include <cstdint>

#include "lib/base/isa.hpp"

namespace basesweep {

// Collects special positions.
class PositionMarks {
 public:
  // Bit i of `bits` marks position + i. Positions never decrease from call to call.
  virtual void add(std::uint32_t position, std::uint64_t bits) = 0;

 protected:
  ~PositionMarks() = default;
};

// The planes that packed bases go to, as in PackedView. Owns nothing. The planes need room for one base for each byte
// of text, and one word more.
struct PackTarget {
  std::uint64_t* lo;  // full words only
  std::uint64_t* hi;
  std::uint32_t positions;   // packed so far
  std::uint64_t lo_partial;  // the bits of the last word, if it is not full
  std::uint64_t hi_partial;
  PositionMarks* not_acgt;      // gets the positions that are not A, C, G or T
  PositionMarks* soft_masked;   // gets the positions in lower case; null: case is not looked at
  std::uint32_t n_letters = 0;  // how many of the positions that are not A, C, G or T are N
};

// Packs [text, end) and returns where it stopped: at `end`, or at the first byte that is not a letter, '-', '*', '.',
// '\r' or '\n'. Bytes up to `readable` (>= end) may be loaded.
using PackFunction = const char* (*)(const char* text, const char* end, const char* readable, PackTarget& target);

PackFunction pack_function(Isa isa);

// Packs `bases` bases from the codes of a .2bit file (TwoBitRecord). 16 bytes behind the codes may be loaded. Marks
// nothing.
using CodesFunction = void (*)(const char* codes, std::uint32_t bases, PackTarget& target);

CodesFunction codes_function(Isa isa);

}  // namespace basesweep
