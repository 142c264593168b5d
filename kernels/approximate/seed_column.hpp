// A step of the comparison of a seed that may have edits with text, base by base. For the CPU and CUDA threads.
#pragma once

#include <cstdint>

#include "lib/base/host_device.hpp"

namespace basesweep {

// A column of the matrix of a seed against a word, for up to three edits. Bit j of field e (16 bits each) is set if
// the first j positions of the seed differ from the word by at most e edits; for j = rows, if they differ so from the
// word or from a part of it that it begins with.
class SeedColumn {
 public:
  // In front of the word.
  BASESWEEP_HD static SeedColumn first(std::uint32_t max) {
    std::uint64_t fields = 0;
    for (std::uint32_t e = 0; e <= max; ++e) fields |= std::uint64_t{(2U << e) - 1} << 16 * e;
    return SeedColumn(fields);
  }

  // After one more base. Bit j of `eq`: position j - 1 of the seed takes the base.
  BASESWEEP_HD SeedColumn next(std::uint32_t eq, std::uint32_t rows, std::uint32_t max) const {
    const std::uint32_t all = (2U << rows) - 1;
    const std::uint32_t whole = 1U << rows;
    std::uint64_t fields = 0;
    std::uint32_t fewer = 0;       // of this column, with one edit less
    std::uint32_t fewer_left = 0;  // of the column before
    for (std::uint32_t e = 0; e <= max; ++e) {
      const std::uint32_t left = static_cast<std::uint32_t>(fields_ >> 16 * e) & 0xffff;
      const std::uint32_t field = ((left << 1 & eq) | (left & whole) | fewer_left | fewer_left << 1 | fewer << 1) & all;
      fields |= std::uint64_t{field} << 16 * e;
      fewer = field;
      fewer_left = left;
    }
    return SeedColumn(fields);
  }

  // The fewest edits of any part of the seed that it begins with, at least max + 1 if they are too many.
  BASESWEEP_HD std::uint32_t edits() const {
    std::uint32_t e = 0;
    while (e != 4 && (fields_ >> 16 * e & 0xffff) == 0) ++e;
    return e;
  }

  // Whether nothing is left after one more base, told faster than by next(). False also where it is not known.
  BASESWEEP_HD bool surely_ends(std::uint32_t eq, std::uint32_t max) const {
    const std::uint64_t fewer = fields_ & ((std::uint64_t{1} << 16 * max) - 1);
    return fewer == 0 && ((fields_ >> 16 * max) << 1 & eq) == 0;
  }
  // No part of the seed is that near.
  BASESWEEP_HD bool empty() const { return fields_ == 0; }
  // Whether the whole seed, of `rows` positions, differs by at most `max` edits from the word or from a part of it that
  // it begins with.
  BASESWEEP_HD bool whole(std::uint32_t rows, std::uint32_t max) const {
    return (fields_ >> (16 * max + rows) & 1) != 0;
  }

  SeedColumn() = default;

 private:
  BASESWEEP_HD explicit SeedColumn(std::uint64_t fields) : fields_(fields) {}
  std::uint64_t fields_;
};

}  // namespace basesweep
