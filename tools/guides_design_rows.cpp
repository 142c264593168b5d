#include "tools/guides_design_rows.hpp"

#include <string>

#include "lib/base/per_thread.hpp"
#include "lib/guides/guide_rows.hpp"

namespace basesweep {

void DesignRows::append(const TextSites& sites, std::uint32_t site, std::uint64_t order, const SiteRecord& record,
                        JoinedGuide& guide, RowText& text, std::string_view region) {
  guide.set_cells(sites, site, record);
  if (part_ == nullptr) {
    return append_to_table(
        order, guide, [&] { guide.set_letters(sites); }, text, region);
  }
  guide.set_letters(sites);
  JoinedRow row = guide.row(sites, site, record);
  if (!shows_scores(guide)) row.mit = row.cfd = row.exact_cfd = 0;
  part_->append(row, text);
  list(order, guide, [] {});
}

void DesignRows::append(const JoinedRow& row, RowText& text) {
  JoinedGuide& guide = per_thread<JoinedGuide>();
  guide.set(row, limits_, side_);
  append_to_table(
      row.site, guide, [] {}, text, "");
}

// `set_letters`: sets those of the nearest places.
template <class SetLetters>
void DesignRows::append_to_table(std::uint64_t order, JoinedGuide& guide, const SetLetters& set_letters, RowText& text,
                                 std::string_view region) {
  table_.append(GuideTableRow{{}, guide.cells.views(), &guide.totals, shows_scores(guide), region}, text);
  list(order, guide, set_letters);
}

template <class SetLetters>
void DesignRows::list(std::uint64_t order, JoinedGuide& guide, const SetLetters& set_letters) {
  if (!lists_) return;
  const bool scored = shows_scores(guide);
  listed_.tally().count(guide.totals, scored, order, [&] {
    set_letters();
    const auto& [name, letters, pam, of_record, start, end, strand, percent] = guide.cells.views();
    return ListedGuide{std::string(name), std::string(letters), guide.totals, scored};
  });
}

}  // namespace basesweep
