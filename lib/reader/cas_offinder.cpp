#include "lib/reader/cas_offinder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <vector>

#include "lib/base/dna.hpp"
#include "lib/base/fields.hpp"
#include "lib/base/letter_case.hpp"
#include "lib/reader/pattern_list.hpp"
#include "lib/reader/table_rows.hpp"
#include "lib/reader/whole_text.hpp"

namespace basesweep {
namespace {

struct Line {
  std::size_t number;
  std::string_view text;
  Cells words;
};

constexpr std::size_t kGenomeLine = 0;
constexpr std::size_t kPatternLine = 1;
constexpr std::size_t kFirstGuide = 2;

// The lines that are not blank, at most so many.
std::vector<Line> lines_of(std::string_view text, std::size_t most) {
  std::vector<Line> lines;
  for_each_line(text, [&](std::string_view line, std::size_t number) {
    if (lines.size() == most || line.find_first_not_of(" \t") == std::string_view::npos) return;
    lines.push_back({number, line, split_cells(line, Separator::blank)});
  });
  return lines;
}

bool is_letters(std::string_view word) {
  return !word.empty() &&
         std::all_of(word.begin(), word.end(), [](char letter) { return pattern_letter_set(letter) != 0; });
}

bool is_number(std::string_view word) {
  std::uint32_t number = 0;
  return parse_number(word, number);
}

bool is_pattern(const Cells& words) {
  const std::string pattern = upper_case(words.front());
  const auto n = static_cast<std::size_t>(std::count(pattern.begin(), pattern.end(), 'N'));
  if (!is_letters(pattern) || 2 * n <= pattern.size()) return false;
  return words.size() <= 3 && std::all_of(words.begin() + 1, words.end(), is_number);
}

// Whether the letter of a guide stands for all bases that the pattern's letter stands for.
bool covers(char guide, char pattern) { return (pattern_letter_set(pattern) & ~pattern_letter_set(guide)) == 0; }

// How many letters at the begin, or at the end, of the pattern are covered by every guide.
struct Covered {
  std::size_t begin = std::numeric_limits<std::size_t>::max();
  std::size_t end = std::numeric_limits<std::size_t>::max();

  void add(std::string_view guide, std::string_view pattern) {
    std::size_t first = 0;
    while (first < begin && first < guide.size() && covers(guide[first], pattern[first])) ++first;
    std::size_t last = 0;
    while (last < end && last < guide.size() &&
           covers(guide[guide.size() - 1 - last], pattern[pattern.size() - 1 - last])) {
      ++last;
    }
    begin = first;
    end = last;
  }
};

class CasOffinderReader {
 public:
  CasOffinderReader(std::string_view text, PatternList& guides)
      : lines_(lines_of(text, std::numeric_limits<std::size_t>::max())),
        pattern_(upper_case(lines_[kPatternLine].words.front())),
        guides_(guides) {}

  CasOffinderInput read() {
    input_.genome = lines_[kGenomeLine].text;
    const Cells& words = lines_[kPatternLine].words;
    if (words.size() == 2) {
      guides_.fail(lines_[kPatternLine].number,
                   "expected two numbers behind the pattern, the sizes of DNA and of RNA bulges, as in an input of "
                   "Cas-OFFinder");
    }
    if (words.size() == 3) {
      parse_number(words[1], input_.dna_bulges);
      parse_number(words[2], input_.rna_bulges);
    }
    for (std::size_t i = kFirstGuide; i < lines_.size(); ++i) take_guide(lines_[i]);
    find_pam();
    return std::move(input_);
  }

 private:
  void take_guide(const Line& line) {
    std::uint32_t mismatches = 0;
    if (line.words.size() < 2 || line.words.front().size() != pattern_.size() ||
        !parse_number(line.words[1], mismatches)) {
      guides_.fail(
          line.number,
          fmt::format("expected a guide of {} letters, as the pattern above has, and its number of mismatches, "
                      "as in an input of Cas-OFFinder: '{}'",
                      pattern_.size(), shown(line.text)));
    }
    const std::string& letters = line.words.front();
    guides_.start(line.words.size() > 2 ? line.words[2] : letters, line.number, line.text);
    guides_.extend(letters, line.number);
    covered_.add(letters, pattern_);
    if (line.number == lines_[kFirstGuide].number) {
      input_.mismatches = mismatches;
    } else if (mismatches != input_.mismatches && input_.differing.empty()) {
      input_.differing = fmt::format("{} in line {}, {} in line {}", input_.mismatches, lines_[kFirstGuide].number,
                                     mismatches, line.number);
    }
  }

  void find_pam() {
    const std::size_t first = pattern_.find_first_not_of('N');
    const std::size_t last = pattern_.find_last_not_of('N');
    const bool n_alone = first == std::string::npos;
    if (covered_.end != 0 && (n_alone || first >= pattern_.size() - covered_.end)) {
      input_.pam = pattern_.substr(pattern_.size() - covered_.end);
    } else if (covered_.begin != 0 && (n_alone || last < covered_.begin)) {
      input_.pam = pattern_.substr(0, covered_.begin);
      input_.pam_5prime = true;
    } else {
      guides_.fail(lines_[kPatternLine].number,
                   fmt::format("expected guides with N in place of the PAM of the pattern {}, which is at its begin or "
                               "its end, as in an input of Cas-OFFinder",
                               pattern_));
    }
  }

  const std::vector<Line> lines_;
  const std::string pattern_;
  PatternList& guides_;
  Covered covered_;
  CasOffinderInput input_;
};

}  // namespace

bool is_cas_offinder(std::string_view text) {
  const std::vector<Line> lines = lines_of(text, kFirstGuide + 1);
  if (lines.size() <= kFirstGuide || !is_pattern(lines[kPatternLine].words)) return false;
  const Cells& guide = lines[kFirstGuide].words;
  return guide.size() >= 2 && guide[0].size() == lines[kPatternLine].words.front().size() && is_letters(guide[0]) &&
         is_number(guide[1]);
}

CasOffinderInput read_cas_offinder(std::string_view text, PatternList& guides) {
  return CasOffinderReader(text, guides).read();
}

}  // namespace basesweep
