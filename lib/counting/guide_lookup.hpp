// Finds the guide of a library that a read holds.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lib/search/pattern.hpp"

namespace basesweep {

class PackedRead;

// The places where guides may begin in reads, 0-based: where the read as it is in the file has the first base of the
// guide, or of its reverse complement if that is searched.
struct StartWindow {
  static constexpr std::uint32_t kEnd = std::numeric_limits<std::uint32_t>::max();

  std::uint32_t first = 0;
  std::uint32_t last = kEnd;

  bool operator==(const StartWindow&) const = default;
};

// The window for guides as the library has them, and that for their reverse complements.
using StrandWindows = std::array<StartWindow, 2>;

struct GuideLookupOptions {
  std::uint32_t edits = 1;  // 0 or 1
  bool indels = false;      // the edit may be an inserted or a deleted base, else it is a mismatch
  StrandChoice strands = StrandChoice::plus;
};

// The guide that a read counts for.
struct GuideCall {
  static constexpr std::uint32_t kNone = 0xffffffff;     // there is none
  static constexpr std::uint32_t kSeveral = 0xfffffffe;  // there are several that are equally good

  std::uint32_t guide = kNone;  // index in the library, or one of the two
  std::uint32_t edits = 0;      // unless it is kNone

  bool operator==(const GuideCall&) const = default;
};

// Guides are indexed by their whole sequence and, if an edit is allowed, by two parts of it: one edit leaves the other
// part as it is. Memory: about 70 bytes per guide and strand.
class GuideLookup {
 public:
  // `guides`: A, C, G and T, 4 to kMaxTagLength bases each, all different.
  GuideLookup(std::span<const std::string> guides, GuideLookupOptions options);
  ~GuideLookup();

  // Returns the guide with the fewest edits that begins in the window of its strand; of several, the longest. A letter
  // other than A, C, G, T and U in the read matches nothing. Thread-safe.
  GuideCall find(std::string_view read, const StrandWindows& windows) const;
  // The same for many reads, in less time. `calls` gets one for each read.
  void find(std::span<const std::string_view> reads, const StrandWindows& windows, std::span<GuideCall> calls) const;

  // Calls use(guide, strand, start) for each place of the read that is a guide without an edit. Strand 1: its reverse
  // complement. Thread-safe.
  using UseExact = std::function<void(std::uint32_t guide, std::size_t strand, std::size_t start)>;
  void find_exact(std::string_view read, const StrandWindows& windows, const UseExact& use) const;

 private:
  class BestGuide;
  class Group;
  template <class Word>
  class GroupOf;

  void find_together(std::span<const std::string_view> reads, const StrandWindows& windows,
                     std::span<GuideCall> calls) const;
  void add_edited(const PackedRead& read, const StrandWindows& windows, BestGuide& best) const;

  std::vector<std::unique_ptr<Group>> groups_;  // the guides of each length and strand
  std::size_t longest_ = 0;
  GuideLookupOptions options_;
};

}  // namespace basesweep
