#include "lib/guides/guide_rows.hpp"

#include <fmt/format.h>

#include "lib/guides/scores.hpp"

namespace basesweep {
namespace {

std::string place_cells(const NearPlace* place) {
  if (place == nullptr) return "\t.\t.\t.";
  return fmt::format("\t{}:{}-{}({})\t{}\t{}", place->record_name, place->start, place->end,
                     strand_letter(place->strand), place->mismatches, place->bulge_size);
}

}  // namespace

std::string count_columns(const GuideRowForm& form) {
  std::string text;
  for (std::uint32_t size = 0; size <= form.max_bulge; ++size) {
    for (std::uint32_t mismatches = 0; mismatches <= form.mismatches; ++mismatches) {
      text += size == 0 ? fmt::format("\tmismatches_{}", mismatches)
                        : fmt::format("\tbulge_{}_mismatches_{}", size, mismatches);
    }
  }
  return text;
}

std::string guide_columns(const GuideRowForm& form) {
  return "\tplaces" + count_columns(form) +
         "\tmit_specificity\tcfd_specificity\tunique\tworst_place\tworst_mismatches\tworst_bulge";
}

std::string guide_cells(const GuideTotals& totals, bool scored) {
  std::string text = fmt::format("\t{}", totals.places());
  for (const std::uint64_t count : totals.counts) text += fmt::format("\t{}", count);
  if (scored) {
    const std::uint64_t exact_mit = totals.counts.front() != 0 ? kFullScore : 0;
    text += '\t';
    append_percent(specificity(totals.mit - exact_mit), text);
    text += '\t';
    append_percent(specificity(totals.cfd - totals.exact_cfd), text);
  } else {
    text += "\t.\t.";
  }
  const bool exact = !totals.nearest.empty() && totals.nearest.front().exact();
  text += exact && totals.places() == 1 ? "\tyes" : "\tno";
  const std::size_t worst = exact ? 1 : 0;  // the first exact copy is the guide's own place
  return text + place_cells(worst < totals.nearest.size() ? &totals.nearest[worst] : nullptr);
}

}  // namespace basesweep
