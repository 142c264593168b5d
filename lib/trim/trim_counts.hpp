// What a run of trimming counts.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "lib/base/histogram.hpp"
#include "lib/trim/trim_settings.hpp"

namespace basesweep {

struct TrimCounts final : ReadCounts {
  std::uint64_t reads = 0;  // pairs, if reads are pairs
  std::array<std::uint64_t, kTrimReasons> reasons{};
  std::uint64_t turned = 0;
  // Of each mate.
  struct Mate {
    std::uint64_t with_adapter = 0;
    std::vector<std::uint64_t> adapters{};  // places found of each
    std::uint64_t bases = 0;
    std::uint64_t quality_bases = 0;  // cut by quality
    std::uint64_t adapter_bases = 0;  // cut with adapters
    std::uint64_t with_primer = 0;
    std::uint64_t primer_bases = 0;
    std::uint64_t poly_a_bases = 0;
    std::uint64_t written_bases = 0;
    Histogram lengths_before{};
    Histogram lengths_after{};  // of reads that are written
  };
  Mate mates[2];
  std::vector<std::uint64_t> primers[2];  // reads that begin with each primer, and that end with it
  // Of pairs that are trimmed by their overlap.
  std::uint64_t by_both = 0;     // overlap and adapter agree
  std::uint64_t by_overlap = 0;  // overlap alone
  std::uint64_t by_adapter = 0;  // adapter alone
  std::uint64_t differing = 0;   // they differ by more than 2 bases; the adapter counts
  std::uint64_t dimers = 0;      // fragments without bases

  // `other`: of the same adapters.
  void add(const TrimCounts& other);
};

}  // namespace basesweep
