// The totals of the places of each guide.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lib/guides/guide_set.hpp"
#include "lib/guides/placed_guide.hpp"
#include "lib/guides/scores.hpp"

namespace basesweep {

class PackedBatch;  // lib/search/packed_batch.hpp

// How far a place is from its guide, and where it is.
struct NearPlace {
  std::uint32_t bulge_size = 0;
  std::uint32_t mismatches = 0;
  std::int64_t record = 0;
  std::int64_t start = 0;
  std::int64_t end = 0;
  Strand strand = Strand::plus;
  std::string record_name{};
  std::string features{};  // as Annotation::append_names()
  // The bases of the text as the guide's strand reads them, PAM included, with '-' where a bulge of the guide is; empty
  // where they are not known.
  std::string letters{};
  // Of a place with a bulge whose alignment is known: the guide with its PAM above `letters`, with '-' where a bulge of
  // the text is.
  std::string guide{};

  bool exact() const { return bulge_size == 0 && mismatches == 0; }
};

// Puts the own place of a guide of the text, an exact copy, in front of the nearest, so that the others are not the
// guide's own.
void put_first(const NearPlace& own, std::vector<NearPlace>& nearest);

// Appends "record:start-end(strand)".
void append_place(std::string_view record, std::int64_t start, std::int64_t end, char strand, std::string& to);

// The totals of a guide. Its nearest place is one of the least by (bulge size, mismatches), of several the first.
struct GuideTotals {
  std::vector<std::uint64_t>
      counts;             // places by (bulge size, mismatches): element size * (max mismatches + 1) + mismatches
  std::uint64_t mit = 0;  // sums of scores, over all places that have them
  std::uint64_t cfd = 0;
  std::uint64_t exact_cfd = 0;          // the greatest CFD score of an exact copy
  std::vector<NearPlace> nearest;       // the nearest first, see GuideTable::nearest()
  std::vector<std::uint64_t> features;  // by Annotation::kinds(): places that overlap one

  std::uint64_t places() const;
  bool has_exact_copy() const { return counts.front() != 0; }
  // The sums without one exact copy, if there is any.
  std::uint64_t mit_off_targets() const { return mit - (has_exact_copy() ? kFullScore : 0); }
  std::uint64_t cfd_off_targets() const { return cfd - exact_cfd; }
  // The specificities in steps of 1 / kFullScore; nothing where no place was scored. The MIT score leaves out places
  // with bulges. `scored`: has_scores() of the guide.
  std::optional<std::uint32_t> mit_specificity(bool scored) const;
  std::optional<std::uint32_t> cfd_specificity(bool scored) const;
  // `most`: how many of the nearest are kept.
  void add(const NearPlace& place, std::size_t most = 2);
  // The totals of the same guide in other text, whose records come later.
  void add(const GuideTotals& other, std::size_t most = 2);
};

// Adds up places; any thread may add, in any order.
class GuideTable {
 public:
  // How many of the nearest places of a guide tables and pages show.
  static constexpr std::size_t kForTables = 2;
  static constexpr std::size_t kForPages = 10;
  // So many guides may keep those for pages; on a GPU, their places must all come to the host for it.
  static constexpr std::size_t kMostForPages = 1'000;

  // `annotation`: of PlacedGuide::features; null without. Both must outlive this. `for_pages`: more of the nearest
  // places are kept, unless there are too many guides.
  explicit GuideTable(const GuideSet& guides, const Annotation* annotation = nullptr, bool for_pages = false);

  // How many of the nearest places of a guide are kept.
  std::size_t nearest() const { return nearest_; }

  // Adds places of one guide. `batch`: the one that they are in; null: letters of places are not known.
  void add(std::span<const PlacedGuide> places, const PackedBatch* batch = nullptr);
  // Adds the sums of a batch, which have the nearest two; without annotation.
  void add(const PackedBatch& batch, const GuideSums& sums, const GuideFinder::Loop& loop);
  // Adds the totals of a guide in text that comes after all others; by one thread.
  void add(std::size_t guide, const GuideTotals& totals) { totals_[guide].add(totals, nearest_); }
  // When all are added.
  const GuideTotals& totals(std::size_t guide) const { return totals_[guide]; }
  std::uint64_t places() const;
  // The sums of GuideTotals::counts over all guides.
  std::vector<std::uint64_t> counts() const;
  // How many guides have no exact copy.
  std::uint64_t without_exact_copy() const;

 private:
  static constexpr std::size_t kLocks = 64;

  void add_sums(const PackedBatch& batch, const GuideSums& sums, std::size_t guide);
  void set_letters(const PackedBatch& batch, const PlacedGuide& placed, NearPlace& near) const;

  const GuideSet& guides_;
  const std::uint32_t classes_;  // numbers of mismatches
  const Annotation* const annotation_;
  const std::size_t nearest_;
  std::vector<GuideTotals> totals_;
  std::array<std::mutex, kLocks> locks_;
};

}  // namespace basesweep
