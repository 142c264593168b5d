// Adapters of sequencing kits, and which of them a run has.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace basesweep {

// The sequences that follow the fragment in first and in second mates.
struct AdapterPair {
  std::string name;
  std::string first;
  std::string second;
};

// Sources: docs/reads.md.
std::span<const AdapterPair> known_adapters();

// Chooses the adapters of a run by its first pairs.
class AdapterGuess {
 public:
  // So many pairs show which adapters a run has.
  static constexpr std::size_t kPairs = 20'000;

  void add(std::string_view first, std::string_view second);
  // Known adapters if they are in reads, else what comes after fragments that are shorter than their mates. Empty
  // sequences: not enough reads have an adapter.
  AdapterPair result() const;

 private:
  // The letters after fragments, by their distance.
  struct Column {
    std::size_t counts[4] = {};
  };

  std::vector<std::size_t> hits_ = std::vector<std::size_t>(known_adapters().size(), 0);
  std::vector<Column> after_[2];
  std::size_t fragments_ = 0;
};

}  // namespace basesweep
