// Counts of sizes and lengths.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "lib/base/count_lists.hpp"

namespace basesweep {

// Each value below 128 has a bin of its own; above, there are 64 bins for each power of two. So it takes little memory,
// and the sum of two histograms is that of all their values.
class Histogram {
 public:
  struct Bin {
    std::uint64_t from;
    std::uint64_t to;  // exclusive
    std::uint64_t count;
  };

  void add(std::uint64_t value, std::uint64_t times = 1) { add_count(bin_of(value), counts_, times); }
  void add(const Histogram& other) { add_counts(other.counts_); }

  // Those with a count, in order.
  std::vector<Bin> bins() const {
    std::vector<Bin> all;
    for (std::size_t i = 0; i < counts_.size(); ++i) {
      if (counts_[i] != 0)
        all.push_back({first_of(i), i + 1 == kMostBins ? ~std::uint64_t{0} : first_of(i + 1), counts_[i]});
    }
    return all;
  }

  static constexpr std::size_t kMostBins = 128 + (64 - 7) * 64;

  // The count of each bin, for totals that are stored.
  const std::vector<std::uint64_t>& counts() const { return counts_; }
  // Adds such counts; false: there are more than a histogram has.
  bool add_counts(const std::vector<std::uint64_t>& counts) {
    if (counts.size() > kMostBins) return false;
    basesweep::add_counts(counts, counts_);
    return true;
  }

 private:
  static constexpr std::size_t kSingle = 128;  // values with a bin of their own
  static constexpr std::size_t kSteps = 64;    // bins of a power of two
  static constexpr int kFirstPower = 7;        // of kSingle

  static std::size_t bin_of(std::uint64_t value) {
    if (value < kSingle) return value;
    const int power = std::bit_width(value) - 1;
    return kSingle + static_cast<std::size_t>(power - kFirstPower) * kSteps + (value >> (power - 6) & (kSteps - 1));
  }
  static std::uint64_t first_of(std::size_t bin) {
    if (bin < kSingle) return bin;
    const std::size_t power = (bin - kSingle) / kSteps + kFirstPower;
    return (kSteps + (bin - kSingle) % kSteps) << (power - 6);
  }

  std::vector<std::uint64_t> counts_;
};

}  // namespace basesweep
