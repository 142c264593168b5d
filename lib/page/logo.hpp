// Logos of sequence: letters of each position, as high as the information in bits that they bear.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "lib/page/value.hpp"

namespace basesweep {

// Shares of A, C, G and T at each position.
using LogoColumns = std::vector<std::array<double, 4>>;
// Reads [[A, C, G, T], ...], probabilities or counts. Positions without any letter have the same share of each.
LogoColumns logo_columns(const Value& rows);
// "" without positions. Its letters are those of logo_letters().
std::string draw_logo(const LogoColumns& columns, const std::string& summary);
// The shapes of letters, once in a page that has logos.
std::string logo_letters();
// The letters that bear the most at each position: "TGACTCA".
std::string consensus(const LogoColumns& columns);

}  // namespace basesweep
