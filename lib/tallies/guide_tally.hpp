// What plots show of the rows of the table of guides.
#pragma once

#include <tbb/enumerable_thread_specific.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "lib/guides/guide_table.hpp"

namespace basesweep {

// A guide with what a page shows of it.
struct ListedGuide {
  std::string name;
  std::string letters;  // 5' to 3', without PAM
  GuideTotals totals;
  bool scored = false;      // the table shows its scores
  std::uint64_t order = 0;  // see GuideTally::count()
};

// Guides by specificity in percent, rounded down.
struct SpecificityCounts {
  std::array<std::uint64_t, 101> percent{};
  std::uint64_t unscored = 0;

  void add(const std::optional<std::uint32_t>& specificity);
  void add(const SpecificityCounts& other);
};

// Lists the guides that people look at first: the least specific of a library, the most specific of designed guides.
// Thread-safe.
class GuideTally {
 public:
  static constexpr std::size_t kMost = 1000;
  // So many of them are listed with all their nearest places, others with two.
  static constexpr std::size_t kMostWithPlaces = 10;

  // `designed`: the guides are of the text, not of a library.
  explicit GuideTally(bool designed) : designed_(designed) {}

  // `order`: of the guide in the table; of equally specific ones the first are listed. `make`: gives the ListedGuide;
  // called for a guide that is listed, at least for now.
  template <class Make>
  void count(const GuideTotals& totals, bool scored, std::uint64_t order, const Make& make) {
    Own& own = own_.local();
    const Key key = add(totals, scored, order, own);
    if (own.kept.size() < kMost || key < own.kept.front().key) keep({key, make()}, own);
  }

  struct Counts {
    SpecificityCounts mit{};
    SpecificityCounts cfd{};
    std::uint64_t guides = 0;
    std::vector<ListedGuide> listed{};  // in the order of the list
  };
  // Of all threads, when all rows have come.
  Counts counts() const;

 private:
  // Guides with lower keys are listed.
  using Key = std::pair<std::uint32_t, std::uint64_t>;
  struct Kept {
    Key key;
    ListedGuide guide;
  };

  struct Own {
    SpecificityCounts mit;
    SpecificityCounts cfd;
    std::uint64_t guides = 0;
    std::vector<Kept> kept;  // a heap: the first is the one that leaves next
  };

  Key add(const GuideTotals& totals, bool scored, std::uint64_t order, Own& own) const;
  static void keep(Kept kept, Own& own);

  const bool designed_;
  tbb::enumerable_thread_specific<Own> own_;
};

}  // namespace basesweep
