// Finds the best of several adapters in a read.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "lib/trim/adapter.hpp"
#include "lib/trim/adapter_filter.hpp"
#include "lib/trim/locate.hpp"

namespace basesweep {

// Bases [begin, end) of a read.
struct ReadRange {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;

  std::uint32_t size() const { return end - begin; }
  bool operator==(const ReadRange&) const = default;
};

// An adapter that is in a read. Places count from the read's first base, also that of the second of linked parts.
struct FoundAdapter {
  std::uint32_t adapter = 0;  // its index
  std::int32_t score = 0;
  std::uint32_t errors = 0;
  ReadRange kept;          // without the adapter and all on its side
  ReadRange with_adapter;  // the same with the adapter
  ReadRange cropped;       // the adapter alone; of linked ones from the start of the first to the end of the last
  std::optional<ReadRange> parts[2];  // where its parts are
};

// Thread-safe.
class AdapterSet {
 public:
  explicit AdapterSet(std::vector<Adapter> adapters);

  bool empty() const { return adapters_.empty(); }
  const std::vector<Adapter>& adapters() const { return adapters_; }
  // The adapter with the highest score; of equal ones the one with the fewest errors, then the one that comes first.
  std::optional<FoundAdapter> find(std::span<const LetterSet> read) const;
  // Appends, in increasing order, the indices of the adapters that may be in the read.
  void append_candidates(std::span<const LetterSet> read, std::vector<std::uint32_t>& candidates) const;
  // One adapter.
  std::optional<FoundAdapter> find(std::size_t index, std::span<const LetterSet> read) const;

 private:
  std::vector<Adapter> adapters_;
  std::vector<std::vector<AdapterLocator>> locators_;  // of the parts of each adapter
  std::optional<AdapterFilter> filter_;
  std::vector<std::uint32_t> filtered_;  // the adapter of each index of the filter
  std::vector<std::uint32_t> always_;    // adapters without a part that they require
};

}  // namespace basesweep
