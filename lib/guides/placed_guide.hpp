// A place of a guide with all that is written of it.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "lib/guides/annotation.hpp"
#include "lib/guides/guide_finder.hpp"
#include "lib/guides/guide_set.hpp"
#include "lib/guides/shape.hpp"
#include "lib/rows/aligned_letters.hpp"
#include "lib/rows/row.hpp"

namespace basesweep {

class PackedBatch;  // lib/search/packed_batch.hpp
struct Segment;     // lib/search/segment.hpp

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

// A place independent of its batch, from the first base of the alignment with its PAM to the last.
struct PlacedGuide : PlacedRow {
  GuidePlace place{};                   // its border, in the batch, is not used here
  std::optional<PlaceScores> scores{};  // nothing: not needed, or has_scores() says that the guide has none
  std::span<const Feature> features{};  // that it overlaps
  bool first = false;                   // no place of the guide comes before it in the output
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

// Draws the alignment as the guide's strand reads it: the pattern is the guide with the PAM that was given, the text
// the one that they match, in upper case. Overwrites `to`, reusing its memory.
void draw_place(const GuideSet& guides, const PlacedGuide& placed, AlignedLetters& to);
// Puts the mismatches of the guide in the text into lower case, as Cas-OFFinder does.
void lower_mismatches(const GuideSet& guides, const GuidePlace& place, AlignedLetters& to);

// Whether the letters of the two rows match: a base of the text is one that the guide's letter stands for.
bool letters_match(char guide, char text);

}  // namespace basesweep
