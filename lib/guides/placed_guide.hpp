// A place of a guide with all that is written of it.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lib/guides/alignment.hpp"
#include "lib/guides/annotation.hpp"
#include "lib/guides/guide_finder.hpp"
#include "lib/guides/guide_set.hpp"
#include "lib/guides/shape.hpp"

namespace basesweep {

// Scores of a place, in steps of 1 / kFullScore.
struct PlaceScores {
  std::optional<std::uint32_t> mit;  // of places without bulge
  std::uint32_t cfd;                 // the greatest of all alignments that the row stands for
};

// The meaning of a row of the output.
enum class GuideRowOf : std::uint8_t {
  place,  // a place, shown with the alignment that stands for it
  bulge,  // all alignments of a place with the same kind and size of bulge; shown with the one with fewest mismatches
};

// A place independent of its batch.
struct PlacedGuide {
  std::string_view record_name;
  std::int64_t record;                  // number among the records with bases of the whole input, from 0
  std::int64_t start;                   // of the alignment with the PAM, in the record, 0-based
  std::int64_t end;                     // exclusive
  GuidePlace place;                     // its border, in the batch, is not used here
  std::string_view letters;             // the text [start, end), forward strand, upper case
  std::optional<PlaceScores> scores{};  // nothing: has_scores() says that the guide has none
  std::span<const Feature> features{};  // that it overlaps
  bool first = false;                   // no place of the guide comes before it in the output
};

// Writes out the columns of an alignment. Kept from one to the next, it keeps its memory.
class AlignmentText {
 public:
  // `letters`: as in PlacedGuide. The views of the result live until the next call.
  GuideAlignment align(const GuideSet& guides, const GuidePlace& place, std::string_view letters);

 private:
  std::string text_;  // of the guide's strand
  std::string guide_columns_;
  std::string text_columns_;
};

// Whether the places of the guide have scores, see has_scores().
bool is_scored(const GuideSet& guides, const Guide& guide);

// Scores places.
class PlaceScorer {
 public:
  // `guides` must outlive this.
  explicit PlaceScorer(const GuideSet& guides);
  // The scores of a place in `segment` of the batch; nothing for a guide that has none. Thread-safe.
  std::optional<PlaceScores> score(const PackedBatch& batch, const Segment& segment, const GuidePlace& place,
                                   GuideRowOf row = GuideRowOf::place) const;

 private:
  const GuideSet& guides_;
  std::vector<GuideBits> bits_;  // of each guide
  std::vector<bool> scored_;
};

// The DNA with the PAM as Cas-OFFinder writes it: mismatches in lower case. And the guide with the PAM that was given.
std::string dna_with_pam(const GuideAlignment& alignment);
std::string guide_with_pam(const GuideAlignment& alignment, std::string_view pam);

// Whether the letters of the two rows match: a base of the text is one that the guide's letter stands for.
bool letters_match(char guide, char text);

}  // namespace basesweep
