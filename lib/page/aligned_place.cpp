#include "lib/page/aligned_place.hpp"

#include <algorithm>

namespace basesweep {
namespace {

constexpr std::size_t kMostLetters = 200;

char upper(char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c; }
char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; }

bool is_base(char c) { return c == 'A' || c == 'C' || c == 'G' || c == 'T' || c == 'U'; }

// IUPAC codes of guides match all letters here: marking too little is better than marking a match.
bool differ(char guide, char text) { return guide != '-' && is_base(guide) && guide != upper(text); }

std::size_t differences(const std::string& guide, const std::string& text) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < guide.size(); ++i) count += text[i] != '-' && differ(guide[i], text[i]) ? 1 : 0;
  return count;
}

// Puts gaps into the shorter line, together, where the fewest letters differ.
void insert_gap(std::string& guide, std::string& text) {
  std::string& shorter = guide.size() < text.size() ? guide : text;
  const std::size_t gap = std::max(guide.size(), text.size()) - shorter.size();
  const std::string without = shorter;
  std::string best;
  std::size_t least = kMostLetters + 1;
  for (std::size_t at = std::min<std::size_t>(1, without.size()); at <= without.size(); ++at) {
    shorter = without.substr(0, at) + std::string(gap, '-') + without.substr(at);
    const std::size_t count = differences(guide, text);
    if (count < least) {
      least = count;
      best = shorter;
    }
  }
  shorter = best;
}

std::size_t pam_length(const RunView& run) {
  const std::string pams = run.report.get("parameters").get("pam").text();
  return std::min(pams.find(','), pams.size());
}

}  // namespace

AlignedPlace aligned_place(const RunView& run, const Value& guide, const Value& place) {
  AlignedPlace aligned{place.get("aligned_guide").text().substr(0, kMostLetters),
                       place.get("aligned_text").text().substr(0, kMostLetters)};
  const bool before = run.plots().get("pam_side").text() == "5prime";
  if (!aligned.text.empty()) {
    const std::size_t pam = std::min(pam_length(run), aligned.guide.size());
    aligned.guide.replace(before ? 0 : aligned.guide.size() - pam, pam, pam, '.');
    return aligned;
  }
  std::string letters = guide.get("sequence").text().substr(0, kMostLetters);
  std::string text = place.get("text").text().substr(0, kMostLetters);
  std::transform(letters.begin(), letters.end(), letters.begin(), upper);
  std::transform(text.begin(), text.end(), text.begin(), upper);
  const std::size_t pam = std::min(pam_length(run), text.size());
  const std::string pam_letters = before ? text.substr(0, pam) : text.substr(text.size() - pam);
  text = before ? text.substr(pam) : text.substr(0, text.size() - pam);
  if (text.empty() || letters.empty()) return {letters, text};
  if (letters.size() != text.size()) insert_gap(letters, text);
  for (std::size_t i = 0; i < letters.size(); ++i) {
    if (differ(letters[i], text[i])) text[i] = lower(text[i]);
  }
  const std::string above(pam, '.');
  return before ? AlignedPlace{above + letters, pam_letters + text} : AlignedPlace{letters + above, text + pam_letters};
}

}  // namespace basesweep
