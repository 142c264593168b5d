#include "lib/pipeline/base_rates.hpp"

#include <array>
#include <bit>
#include <cstdint>
#include <mutex>

#include "lib/base/parallel.hpp"
#include "lib/packer/packer.hpp"

namespace basesweep {
namespace {

using Counts = std::array<std::uint64_t, 4>;

// Counts the bases at positions [begin, end).
void count(const PackedBlock& block, std::uint32_t begin, std::uint32_t end, Counts& counts) {
  for (std::uint32_t word = begin / 64; word * std::uint64_t{64} < end; ++word) {
    std::uint64_t inside = ~std::uint64_t{0};
    if (word == begin / 64) inside <<= begin % 64;
    if (word == end / 64) inside &= (std::uint64_t{1} << (end % 64)) - 1;
    const std::uint64_t lo = block.lo[word];
    const std::uint64_t hi = block.hi[word];
    counts[0] += static_cast<unsigned>(std::popcount(~lo & ~hi & inside));
    counts[1] += static_cast<unsigned>(std::popcount(lo & ~hi & inside));
    counts[2] += static_cast<unsigned>(std::popcount(~lo & hi & inside));
    counts[3] += static_cast<unsigned>(std::popcount(lo & hi & inside));
  }
}

}  // namespace

PerBase count_bases(BlockSource& source, int threads) {
  Counts total{};
  std::mutex reading;
  std::mutex adding;
  parallel_for(threads, static_cast<std::size_t>(threads), [&](std::size_t) {
    Counts counts{};
    while (true) {
      std::optional<RawBlock> raw;
      {
        const std::lock_guard lock(reading);
        raw = source.next();
      }
      if (!raw) break;
      const PackedBlock block = pack(*raw, {});
      std::uint32_t begin = 0;
      for (const Interval& other : block.not_acgt) {
        count(block, begin, other.begin, counts);
        begin = other.end;
      }
      count(block, begin, block.positions, counts);
    }
    const std::lock_guard lock(adding);
    for (unsigned code = 0; code < 4; ++code) total[code] += counts[code];
  });
  PerBase rates;
  for (unsigned code = 0; code < 4; ++code) rates[code] = static_cast<double>(total[code]);
  return rates;
}

}  // namespace basesweep
