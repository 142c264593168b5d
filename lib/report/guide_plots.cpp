#include "lib/report/guide_plots.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "lib/guides/placed_guide.hpp"
#include "lib/guides/scores.hpp"
#include "lib/report/plot_bins.hpp"

namespace basesweep {
namespace {

// An object or array is made with Json::object() or Json::array() before anything is put into it, see report.cpp.
using Json = nlohmann::ordered_json;

Json bins_of(const SpecificityCounts& counts) {
  return bins_between(counts.percent, [](std::size_t i) { return i; });
}

// In percent, with the four decimals that the table has.
Json percent_of(const std::optional<std::uint32_t>& specificity) {
  return specificity ? Json(static_cast<double>(*specificity) / (kFullScore / 100)) : Json();
}

// The bases beside the PAM, with mismatches in lower case. Gaps are '-' in both.
std::string with_mismatches(std::string_view guide, std::string text, PamSide side) {
  if (text.size() < guide.size()) return text;
  const std::size_t first = side == PamSide::five_prime ? text.size() - guide.size() : 0;
  for (std::size_t i = 0; i < guide.size(); ++i) {
    char& letter = text[first + i];
    const bool gap = guide[i] == '-' || letter == '-';
    if (!gap && !letters_match(guide[i], letter)) letter = static_cast<char>(letter | 0x20);
  }
  return text;
}

// The guide without its PAM, of an alignment with a bulge. `bases`: of the guide.
std::string_view beside_pam(const NearPlace& near, std::size_t bases, PamSide side) {
  const std::string_view guide = near.guide;
  const auto gaps = static_cast<std::size_t>(std::count(guide.begin(), guide.end(), '-'));
  const std::size_t columns = std::min(bases + gaps, guide.size());
  return side == PamSide::five_prime ? guide.substr(guide.size() - columns) : guide.substr(0, columns);
}

Json place_of(const ListedGuide& guide, const NearPlace& near, PamSide side) {
  Json place = Json::object();
  place["record"] = near.record_name;
  place["start"] = near.start;
  place["end"] = near.end;
  place["strand"] = std::string(1, strand_letter(near.strand));
  place["mismatches"] = near.mismatches;
  place["bulge"] = near.bulge_size;
  if (near.letters.empty()) return place;
  if (near.guide.empty()) {
    place["text"] = with_mismatches(guide.letters, near.letters, side);
  } else {
    place["aligned_guide"] = near.guide;
    place["aligned_text"] = with_mismatches(beside_pam(near, guide.letters.size(), side), near.letters, side);
  }
  return place;
}

// `most`: how many places are listed.
Json row_of(const ListedGuide& guide, std::size_t most, PamSide side) {
  Json row = Json::object();
  row["name"] = guide.name;
  row["sequence"] = guide.letters;
  row["counts"] = guide.totals.counts;
  row["mit"] = percent_of(guide.totals.mit_specificity(guide.scored));
  row["cfd"] = percent_of(guide.totals.cfd_specificity(guide.scored));
  Json nearest = Json::array();
  for (const NearPlace& near : guide.totals.nearest) {
    if (nearest.size() < most) nearest.push_back(place_of(guide, near, side));
  }
  row["nearest"] = std::move(nearest);
  return row;
}

}  // namespace

void add_guide_plots(const GuideTally::Counts& counts, PamSide side, Json& report) {
  Json specificity = Json::object();
  specificity["mit"] = bins_of(counts.mit);
  specificity["cfd"] = bins_of(counts.cfd);
  specificity["unscored"] = counts.cfd.unscored;
  Json listed = Json::array();
  for (const ListedGuide& guide : counts.listed) {
    const bool all = listed.size() < GuideTally::kMostWithPlaces;
    listed.push_back(row_of(guide, all ? GuideTable::kForPages : GuideTable::kForTables, side));
  }
  Json plots = Json::object();
  plots["specificity"] = std::move(specificity);
  plots["pam_side"] = side == PamSide::five_prime ? "5prime" : "3prime";
  plots["guides_listed"] = std::move(listed);
  plots["guides_left_out"] = counts.guides - counts.listed.size();
  report["plots"] = std::move(plots);
}

}  // namespace basesweep
