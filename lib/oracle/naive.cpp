#include "lib/oracle/naive.hpp"

#include <algorithm>
#include <cctype>
#include <map>
#include <stdexcept>
#include <tuple>

namespace oracle {
namespace {

bool matches(const std::string& text, std::size_t start, const std::vector<std::string>& positions, bool skip_lower) {
  if (start + positions.size() > text.size()) return false;
  for (std::size_t i = 0; i < positions.size(); ++i) {
    char letter = text[start + i];
    if (!skip_lower) letter = static_cast<char>(std::toupper(static_cast<unsigned char>(letter)));
    if (positions[i].find(letter) == std::string::npos) return false;
  }
  return true;
}

std::vector<std::string> positions_of(const std::string& pattern) {
  std::vector<std::string> positions;
  for (const char letter : pattern) positions.emplace_back(members(letter));
  return positions;
}

}  // namespace

std::string_view members(char letter) {
  switch (letter) {
    case 'A': return "A";
    case 'C': return "C";
    case 'G': return "G";
    case 'T':
    case 'U': return "TU";
    case 'R': return "AG";
    case 'Y': return "CTU";
    case 'S': return "CG";
    case 'W': return "ATU";
    case 'K': return "GTU";
    case 'M': return "AC";
    case 'B': return "CGTU";
    case 'D': return "AGTU";
    case 'H': return "ACTU";
    case 'V': return "ACG";
    case 'N': return "ACGTU";
    case '-': return "";
    default: throw std::invalid_argument(std::string("not an IUPAC letter: ") + letter);
  }
}

std::string reverse_complement(const std::string& letters) {
  const std::string from = "ACGTURYSWKMBDHVN-";
  const std::string to = "TGCAAYRSWMKVHDBN-";
  std::string result;
  for (std::size_t i = letters.size(); i-- > 0;) {
    const std::size_t known = from.find(letters[i]);
    result += known == std::string::npos ? letters[i] : to[known];
  }
  return result;
}

bool is_searched(const Question& question, std::size_t pattern, char strand) {
  if (strand == '+') return question.strands != Strands::minus;
  if (question.strands == Strands::plus) return false;
  if (question.strands == Strands::minus || question.palindromes_twice) return true;
  const std::string& letters = question.patterns[pattern];
  return positions_of(letters) != positions_of(reverse_complement(letters));
}

bool is_circular(const Question& question, std::int64_t record) {
  return !question.circular.empty() && question.circular[static_cast<std::size_t>(record)];
}

std::vector<Hit> search(const Question& question) {
  std::vector<Hit> hits;
  for (std::size_t p = 0; p < question.patterns.size(); ++p) {
    for (const char strand : {'+', '-'}) {
      if (!is_searched(question, p, strand)) continue;
      const std::string& letters = question.patterns[p];
      const auto positions = positions_of(strand == '+' ? letters : reverse_complement(letters));
      for (std::size_t r = 0; r < question.records.size(); ++r) {
        const auto record = static_cast<std::int64_t>(r);
        std::string text = question.records[r];
        if (positions.size() > text.size()) continue;
        if (is_circular(question, record)) text += text.substr(0, positions.size() - 1);
        for (std::size_t start = 0; start < question.records[r].size(); ++start) {
          if (!matches(text, start, positions, question.skip_soft_masked)) continue;
          hits.push_back({record, static_cast<std::int64_t>(start), static_cast<std::int64_t>(start + positions.size()),
                          strand, p});
        }
      }
    }
  }
  std::sort(hits.begin(), hits.end(), [](const Hit& a, const Hit& b) {  // '+' < '-' in ASCII
    return std::tie(a.record, a.start, a.end, a.strand, a.pattern) <
           std::tie(b.record, b.start, b.end, b.strand, b.pattern);
  });
  return hits;
}

std::vector<Hit> without_overlaps(const Question& question, const std::vector<Hit>& hits) {
  using Key = std::tuple<std::int64_t, std::size_t, char>;
  const auto key = [](const Hit& hit) { return Key{hit.record, hit.pattern, hit.strand}; };
  std::vector<Hit> kept;
  std::map<Key, std::int64_t> last_end;
  std::map<Key, std::int64_t> first_start;
  for (const Hit& hit : hits) {
    std::int64_t& end = last_end[key(hit)];  // 0 at first
    if (hit.start < end) continue;
    end = hit.end;
    first_start.emplace(key(hit), hit.start);
    kept.push_back(hit);
  }
  std::erase_if(kept, [&](const Hit& hit) {
    const auto length = static_cast<std::int64_t>(question.records[static_cast<std::size_t>(hit.record)].size());
    return hit.end - length > first_start[key(hit)];  // a record that is not circular has no hit past its end
  });
  return kept;
}

std::string stretch(const Question& question, std::int64_t record, std::int64_t start, std::int64_t end) {
  const std::string& letters = question.records[static_cast<std::size_t>(record)];
  std::string text;
  for (std::int64_t i = start; i < end; ++i) {
    const auto length = static_cast<std::int64_t>(letters.size());
    text += letters.at(static_cast<std::size_t>(is_circular(question, record) ? i % length : i));
  }
  return text;
}

std::string matched_text(const Question& question, std::int64_t record, std::int64_t start, std::int64_t end,
                         char strand) {
  std::string text = stretch(question, record, start, end);
  for (char& c : text) {
    c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    if (c == 'U') c = 'T';
  }
  return strand == '+' ? text : reverse_complement(text);
}

}  // namespace oracle
