// Guides of one length, listed by their word.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "kernels/guides/buckets/scan.hpp"
#include "lib/guides/shape.hpp"

namespace basesweep::buckets {

// As in Comparison. A guide whose word stands for several sequences is listed for each.
struct GuideLists {
  std::vector<std::uint32_t> begins;
  std::vector<std::uint32_t> guides;
  std::vector<std::uint8_t> codes;
  std::vector<std::uint32_t> base_of;

  // `guides`: of one length; they are numbered from 0. The word is [first, first + q).
  void set(std::span<const GuideBits* const> of, std::uint32_t first, std::uint32_t q, Isa isa);
};

// The bases of guides of `length` that lie outside of the word [first, first + q), and columns that are left over.
std::vector<std::uint32_t> columns_outside(std::uint32_t length, std::uint32_t first, std::uint32_t q);

// How many sequences the bases [first, end) of the guide stand for: at least 1.
double sequences_of(const GuideBits& guide, std::uint32_t first, std::uint32_t end);

}  // namespace basesweep::buckets
