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

// "gene=3,exon=1": the kinds that some place overlaps.
std::string feature_counts(const Annotation& annotation, const GuideTotals& totals) {
  std::string text;
  for (std::size_t kind = 0; kind < totals.features.size(); ++kind) {
    if (totals.features[kind] == 0) continue;
    text += fmt::format("{}{}={}", text.empty() ? "" : ",", annotation.kinds()[kind], totals.features[kind]);
  }
  return text.empty() ? "." : text;
}

}  // namespace

std::string print_without_copy(std::uint64_t without, std::uint64_t guides, const std::string& where) {
  return fmt::format("{} of {} guides {} no exact copy in {}", without, guides, without == 1 ? "has" : "have", where);
}

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
         "\tmit_specificity\tcfd_specificity\tunique\tworst_place\tworst_mismatches\tworst_bulge" +
         (form.annotation == nullptr ? "" : "\tworst_features\tfeatures");
}

std::string guide_cells(const GuideRowForm& form, const GuideTotals& totals, bool scored) {
  std::string text = fmt::format("\t{}", totals.places());
  for (const std::uint64_t count : totals.counts) text += fmt::format("\t{}", count);
  for (const auto& percent : {totals.mit_specificity(scored), totals.cfd_specificity(scored)}) {
    text += '\t';
    percent ? append_percent(*percent, text) : void(text += '.');
  }
  const bool exact = !totals.nearest.empty() && totals.nearest.front().exact();
  text += exact && totals.places() == 1 ? "\tyes" : "\tno";
  const std::size_t worst = exact ? 1 : 0;  // the first exact copy is the guide's own place
  const NearPlace* const place = worst < totals.nearest.size() ? &totals.nearest[worst] : nullptr;
  text += place_cells(place);
  if (form.annotation != nullptr) {
    text += '\t' + (place == nullptr ? "." : place->features) + '\t' + feature_counts(*form.annotation, totals);
  }
  return text;
}

}  // namespace basesweep
