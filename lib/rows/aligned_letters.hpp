// An alignment drawn with gaps.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "lib/align/trace.hpp"

namespace basesweep {

struct Query;  // lib/search/query.hpp

// Pattern and text, to be printed one above the other: they are equally long, with '-' where one of them has no base,
// and '.' for text past the record's ends, which the pattern hangs over.
struct AlignedLetters {
  std::string pattern;
  std::string text;
};

// Draws the alignment as the hit's strand reads it, so the pattern reads as it was given (U as T). `letters` and
// `cigar` run along the forward strand. Overwrites `to`, reusing its memory.
void draw_alignment(const Query& query, std::string_view letters, std::span<const CigarRun> cigar, AlignedLetters& to);

}  // namespace basesweep
