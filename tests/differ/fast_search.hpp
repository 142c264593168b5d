// The answers of the plain oracle (lib/oracle), fast enough for texts of many megabases and hundreds of patterns. The
// differential runs compare it with the plain oracle on small texts and with the program on all texts.
//
// It shares no code with lib/ besides the oracle's definitions. Two things make it fast: Sellers' rows, cut off as
// Ukkonen (1985) showed, leave few places where an alignment may start; and a set of edits is a word of bits.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "lib/oracle/approximate.hpp"

namespace differ {

// More edits than this are not counted.
inline constexpr std::size_t kMaxEdits = 31;

// Does what oracle::search() does. Returns nothing when there are more than `most` hits or candidates.
std::optional<std::vector<oracle::Hit>> fast_search(const oracle::Question& question, std::size_t most);

// The same for approximate search, with the sites in place of `best` and `best_per_record`, see choose().
std::optional<std::vector<oracle::ApproximateHit>> fast_search(const oracle::ApproximateQuestion& question,
                                                               std::size_t most);

// Keeps the hits that the question's `best` or `best_per_record` keeps of these sites; with other reports, all.
void choose(const oracle::ApproximateQuestion& question, std::vector<oracle::ApproximateHit>& hits);

}  // namespace differ
