#include "lib/oracle/matrices.hpp"

#include <algorithm>
#include <tuple>

namespace oracle {
namespace {

// The place of a letter in Matrix::scores; 4: it is no base.
std::size_t base_of(char letter) {
  const std::string bases = "ACGT";
  const char upper = letter >= 'a' && letter <= 'z' ? static_cast<char>(letter - 'a' + 'A') : letter;
  return std::min<std::size_t>(bases.find(upper == 'U' ? 'T' : upper), 4);
}

// The letters that the other strand has there; other letters than bases become N.
std::string turned(const std::string& window) {
  std::string other;
  for (std::size_t i = window.size(); i > 0; --i) other += "TGCAN"[base_of(window[i - 1])];
  return other;
}

bool has_lower_case(const std::string& window) {
  return std::any_of(window.begin(), window.end(), [](char c) { return c >= 'a' && c <= 'z'; });
}

}  // namespace

WindowScore score_of(const Matrix& matrix, const std::string& window) {
  WindowScore sum{true, 0};
  for (std::size_t i = 0; i < matrix.scores.size(); ++i) {
    const std::size_t base = base_of(window[i]);
    if (base == 4) return {};
    sum.score += matrix.scores[i][base];
  }
  return sum;
}

std::vector<Hit> search(const MatrixQuestion& question) {
  std::vector<Hit> hits;
  for (std::size_t r = 0; r < question.records.size(); ++r) {
    const std::string& record = question.records[r];
    for (std::size_t m = 0; m < question.matrices.size(); ++m) {
      const Matrix& matrix = question.matrices[m];
      const std::size_t width = matrix.scores.size();
      for (std::size_t start = 0; start + width <= record.size(); ++start) {
        const std::string window = record.substr(start, width);
        if (question.skip_soft_masked && has_lower_case(window)) continue;
        for (const char strand : {'+', '-'}) {
          if (question.strands == (strand == '+' ? Strands::minus : Strands::plus)) continue;
          const WindowScore sum = score_of(matrix, strand == '+' ? window : turned(window));
          if (!sum.has_score || sum.score < matrix.threshold) continue;
          hits.push_back({static_cast<std::int64_t>(r), static_cast<std::int64_t>(start),
                          static_cast<std::int64_t>(start + width), strand, m});
        }
      }
    }
  }
  std::sort(hits.begin(), hits.end(), [](const Hit& a, const Hit& b) {
    return std::tie(a.record, a.start, a.end, a.strand, a.pattern) <
           std::tie(b.record, b.start, b.end, b.strand, b.pattern);
  });
  return hits;
}

}  // namespace oracle
