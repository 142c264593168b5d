// Finds the word that was probably meant.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace basesweep {

// "; did you mean 'IV'?" for the known word that is most like `word`, or nothing if none is like it. Words are alike
// that differ by case, by "chr" in front, by a version behind (".3"), or by few letters.
std::string did_you_mean(std::string_view word, const std::vector<std::string>& known);

}  // namespace basesweep
