// The rows of `guides --design` where the text is joined with itself.
#pragma once

#include <cstdint>
#include <string_view>

#include "lib/guides/joined_rows.hpp"
#include "lib/writer/formatter.hpp"
#include "tools/guides_listed.hpp"

namespace basesweep {

// Makes rows of the table or of a part, and lists the guides that plots show. append() is thread-safe.
class DesignRows {
 public:
  // `table` makes rows of the table, and `part` those of a part; null: the run writes the table. `lists`: the guides
  // are listed. Both formatters must stay.
  DesignRows(const RowChoice& choice, const JoinLimits& limits, PamSide side, const Formatter& table,
             const Formatter* part, bool lists)
      : choice_(choice), limits_(limits), side_(side), table_(table), part_(part), lists_(lists) {}

  // Appends the row of a guide whose totals are set. `order`: of the row among all; its low 32 bits are the site.
  // `record`: the one that the site is in. `region`: the name of the region, in a table that has them.
  void append(const TextSites& sites, std::uint32_t site, std::uint64_t order, const SiteRecord& record,
              JoinedGuide& guide, RowText& text, std::string_view region = "");
  // Appends the row of a part to the table.
  void append(const JoinedRow& row, RowText& text);

  bool lists() const { return lists_; }
  ListedDesigns& listed() { return listed_; }
  const ListedDesigns& listed() const { return listed_; }

 private:
  bool shows_scores(const JoinedGuide& guide) const { return limits_.scored && choice_.has_sums(guide.totals); }
  template <class SetLetters>
  void append_to_table(std::uint64_t order, JoinedGuide& guide, const SetLetters& set_letters, RowText& text,
                       std::string_view region);
  template <class SetLetters>
  void list(std::uint64_t order, JoinedGuide& guide, const SetLetters& set_letters);

  const RowChoice choice_;
  const JoinLimits limits_;
  const PamSide side_;
  const Formatter& table_;
  const Formatter* const part_;
  const bool lists_;
  ListedDesigns listed_;
};

}  // namespace basesweep
