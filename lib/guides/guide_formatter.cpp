#include "lib/guides/guide_formatter.hpp"

#include <fmt/format.h>

#include "lib/base/per_thread.hpp"
#include "lib/guides/scores.hpp"

namespace basesweep {
namespace {

const char* word_of(Bulge bulge) {
  switch (bulge) {
    case Bulge::dna: return "DNA";
    case Bulge::rna: return "RNA";
    default: return "X";
  }
}

class GuideTsv final : public GuideFormatter {
 public:
  GuideTsv(const GuideSet& guides, const Annotation* annotation) : GuideFormatter(guides), annotation_(annotation) {}

  std::string header(std::span<const RecordInfo>) const override {
    return std::string(
               "#Id\tBulge type\tcrRNA\tDNA\tChromosome\tLocation\tDirection\tMismatches\tBulge Size\tMIT\tCFD") +
           (annotation_ == nullptr ? "\n" : "\tFeatures\n");
  }
  NameRule names() const override { return NameRule::text; }

  void append(const PlacedGuide& placed, Text& text) const override {
    const GuidePlace& place = placed.place;
    const GuideAlignment aligned = per_thread<AlignmentText>().align(guides_, place, placed.letters);
    text.append(fmt::format("{}\t{}\t{}\t{}\t", guides_.guides()[place.guide].name, word_of(place.shape.bulge),
                            guide_with_pam(aligned, guides_.pams()[place.pam]), dna_with_pam(aligned)));
    text.append(placed.record_name);
    text.append(fmt::format("\t{}\t{}\t{}\t{}", placed.start, strand_letter(place.strand), place.shape.mismatches,
                            place.shape.size));
    std::string scores = "\t";
    placed.scores&& placed.scores->mit ? append_score(*placed.scores->mit, scores) : void(scores += '.');
    scores += '\t';
    placed.scores ? append_score(placed.scores->cfd, scores) : void(scores += '.');
    if (annotation_ != nullptr) annotation_->append_names(placed.features, scores += '\t');
    scores += '\n';
    text.append(scores);
  }

 private:
  const Annotation* const annotation_;
};

class GuideBed final : public GuideFormatter {
 public:
  using GuideFormatter::GuideFormatter;

  std::string header(std::span<const RecordInfo>) const override { return ""; }
  NameRule names() const override { return NameRule::bed; }

  void append(const PlacedGuide& placed, Text& text) const override {
    const GuidePlace& place = placed.place;
    const Guide& guide = guides_.guides()[place.guide];
    constexpr std::size_t kFull = 1000;
    const std::size_t edits = std::size_t{place.shape.mismatches} + place.shape.size;
    const std::size_t bases = guide.letters.size();
    text.append(placed.record_name);
    text.append(fmt::format("\t{}\t{}\t{}\t{}\t{}\n", placed.start, placed.end, guide.name,
                            (2 * kFull * (bases - edits) + bases) / (2 * bases), strand_letter(place.strand)));
  }
};

}  // namespace

std::unique_ptr<GuideFormatter> make_guide_tsv(const GuideSet& guides, const Annotation* annotation) {
  return std::make_unique<GuideTsv>(guides, annotation);
}
std::unique_ptr<GuideFormatter> make_guide_bed(const GuideSet& guides) { return std::make_unique<GuideBed>(guides); }

}  // namespace basesweep
