// Finds out from some reads where guides begin.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "lib/counting/guide_lookup.hpp"
#include "lib/counting/library.hpp"

namespace basesweep {

// The starts of guides in some reads, for each strand: that of the library, and the other.
struct FoundStarts {
  std::uint64_t reads = 0;                              // that were looked at
  std::array<std::uint64_t, 2> matching{};              // those with a guide that has no mismatch
  std::array<std::optional<StartWindow>, 2> windows{};  // nothing: too few reads have guides at the same start
};

class StartFinder {
 public:
  static constexpr std::size_t kReads = 10'000;  // enough to see a start that one read in 1,000 has

  explicit StartFinder(const GuideLibrary& library);

  void add(std::string_view read);
  // Forgets the reads, for another file.
  void reset();
  bool is_done() const { return found_.reads >= kReads; }
  // A start counts if at least 1 % of the reads that match have it, two or more of them, and five times as many as by
  // chance. The window goes from the first such start to the last.
  FoundStarts result() const;

 private:
  const GuideLookup lookup_;  // of both strands
  double chance_ = 0;         // that random bases are a guide
  FoundStarts found_;
  std::array<std::vector<std::uint64_t>, 2> starts_;  // the number of reads with each
};

// Guides that are a part of another one, with one of those: reads count for the longer one where both fit.
struct NestedGuide {
  std::uint32_t guide;
  std::uint32_t longer;
};
std::vector<NestedGuide> nested_guides(const GuideLibrary& library);

}  // namespace basesweep
