#include "lib/base/nearest.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "lib/base/letter_case.hpp"

namespace basesweep {
namespace {

// The fewest letters to insert, delete, replace or swap with their neighbour that turn one word into the other.
std::size_t edits_between(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before(b.size() + 1), last(b.size() + 1), next(b.size() + 1);
  std::iota(last.begin(), last.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    next[0] = i + 1;
    for (std::size_t j = 0; j < b.size(); ++j) {
      next[j + 1] = std::min({last[j] + (a[i] == b[j] ? 0 : 1), last[j + 1] + 1, next[j] + 1});
      const bool swapped = i != 0 && j != 0 && a[i] == b[j - 1] && a[i - 1] == b[j];
      if (swapped) next[j + 1] = std::min(next[j + 1], before[j - 1] + 1);
    }
    std::swap(before, last);
    std::swap(last, next);
  }
  return last.back();
}

// A record's name without what databases add to it.
std::string bare_name(std::string_view word) {
  std::string name = upper_case(std::string(word));
  if (name.starts_with("CHR") && name.size() > 3) name.erase(0, 3);
  const std::size_t dot = name.find_last_of('.');
  const bool version =
      dot != std::string::npos && dot != 0 && name.find_first_not_of("0123456789", dot + 1) == std::string::npos;
  return version ? name.substr(0, dot) : name;
}

}  // namespace

std::string did_you_mean(std::string_view word, const std::vector<std::string>& known) {
  constexpr std::size_t kMaxLetters = 100;  // the comparison takes quadratic time
  if (word.empty() || word.size() > kMaxLetters) return "";
  const std::string bare = bare_name(word);
  const std::string upper = upper_case(std::string(word));
  const std::string* nearest = nullptr;
  std::size_t fewest = std::max<std::size_t>(1, word.size() / 3) + 1;
  for (const std::string& other : known) {
    if (other.size() > kMaxLetters) continue;
    // A word of one or two letters that differs by one of them is another word.
    std::size_t edits = bare_name(other) == bare ? 0 : fewest;
    if (edits != 0 && word.size() > 2) edits = std::max<std::size_t>(1, edits_between(upper, upper_case(other)));
    if (edits >= fewest) continue;
    fewest = edits;
    nearest = &other;
  }
  return nearest == nullptr ? "" : fmt::format("; did you mean '{}'?", *nearest);
}

}  // namespace basesweep
