// The sums that a batch adds to the totals of the guides, where a GPU adds up the places.
#pragma once

#include <cstdint>
#include <span>

#include "lib/base/host_device.hpp"
#include "lib/guides/shape.hpp"
#include "lib/search/strand.hpp"

namespace basesweep {

// A place of a guide in a batch as a number: the nearer of two places (GuideTotals::nearest) has the lower one.
//
//     bits  60 to 63     55 to 59      23 to 54             16 to 22        15
//           bulge size   mismatches    first position       positions       strand -
struct NearKey {
  static constexpr std::uint64_t kNone = ~std::uint64_t{0};  // no place

  std::uint64_t bits = kNone;

  BASESWEEP_HD static NearKey of(const GuideShape& shape, std::uint32_t begin, std::uint32_t end, Strand strand) {
    return {std::uint64_t{shape.size} << 60 | std::uint64_t{shape.mismatches} << 55 | std::uint64_t{begin} << 23 |
            std::uint64_t{end - begin} << 16 | (strand == Strand::minus ? std::uint64_t{1} << 15 : 0)};
  }
  std::uint32_t bulge_size() const { return static_cast<std::uint32_t>(bits >> 60); }
  std::uint32_t mismatches() const { return static_cast<std::uint32_t>(bits >> 55 & 31); }
  std::uint32_t begin() const { return static_cast<std::uint32_t>(bits >> 23); }
  std::uint32_t length() const { return static_cast<std::uint32_t>(bits >> 16 & 127); }
  Strand strand() const { return (bits >> 15 & 1) != 0 ? Strand::minus : Strand::plus; }
};

// The places of a batch that count, added up. Fields are as in GuideTotals; the element of a guide has its index. The
// spans belong to whoever added up.
struct GuideSums {
  std::span<const std::uint32_t> counts;  // `classes` of each guide
  std::uint32_t classes;
  std::span<const std::uint64_t> mit;
  std::span<const std::uint64_t> cfd;
  std::span<const std::uint32_t> exact_cfd;
  std::span<const NearKey> nearest;  // two of each guide, the nearest first
};

}  // namespace basesweep
