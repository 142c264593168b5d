#include "lib/oracle/guides.hpp"

#include <algorithm>
#include <optional>
#include <sstream>
#include <tuple>

namespace oracle {
namespace {

struct Alignment {
  char bulge;
  std::size_t size;
  std::size_t first;  // guide base before which the bulge begins, from the 5' end
  std::size_t mismatches;
  std::string guide;
  std::string text;
};

// The guide and the text as columns, without the PAM. `text`: of the length that the alignment needs, 5' to 3'.
Alignment align(const std::string& guide, const std::string& text, char bulge, std::size_t size, std::size_t first) {
  Alignment aligned{bulge, size, first, 0, guide, text};
  if (bulge == 'D') aligned.guide.insert(first, std::string(size, '-'));
  if (bulge == 'R') aligned.text.insert(first, std::string(size, '-'));
  for (std::size_t i = 0; i < aligned.guide.size(); ++i) {
    if (aligned.guide[i] == '-' || aligned.text[i] == '-') continue;
    if (members(aligned.guide[i]).find(aligned.text[i]) == std::string::npos) ++aligned.mismatches;
  }
  return aligned;
}

bool obeys(const GuideQuestion& question, const Alignment& aligned) {
  if (aligned.mismatches > question.mismatches) return false;
  if (question.seed == 0) return true;
  const std::size_t columns = aligned.guide.size();
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < question.seed; ++i) {
    const std::size_t column = question.pam_5prime ? i : columns - 1 - i;
    if (aligned.guide[column] == '-' || aligned.text[column] == '-') return false;
    if (members(aligned.guide[column]).find(aligned.text[column]) == std::string::npos) ++wrong;
  }
  return wrong <= question.seed_mismatches;
}

// The text of one strand, 5' to 3', upper case.
struct StrandText {
  std::string letters;
  std::vector<bool> lower;
};

bool pam_matches(const std::string& pam, const std::string& text, std::size_t start) {
  for (std::size_t i = 0; i < pam.size(); ++i) {
    if (members(pam[i]).find(text[start + i]) == std::string::npos) return false;
  }
  return true;
}

// The first PAM that matches at the border; nothing if none does.
std::optional<std::size_t> pam_at(const GuideQuestion& question, const std::string& text, std::size_t border) {
  for (std::size_t i = 0; i < question.pams.size(); ++i) {
    const std::string& pam = question.pams[i];
    if (question.pam_5prime) {
      if (border >= pam.size() && pam_matches(pam, text, border - pam.size())) return i;
    } else if (border + pam.size() <= text.size() && pam_matches(pam, text, border)) {
      return i;
    }
  }
  return std::nullopt;
}

// The best of all alignments at the border; by bulge: the best of each kind and size.
std::vector<Alignment> best_at(const GuideQuestion& question, const std::string& guide, const std::string& text,
                               std::size_t border) {
  std::vector<Alignment> best;
  const auto rank = [](const Alignment& a) { return std::tuple(a.size, a.mismatches, a.bulge == 'R', a.first); };
  const auto consider = [&](char bulge, std::size_t size, std::size_t first) {
    const std::size_t length = bulge == 'D' ? guide.size() + size : guide.size() - size;
    if (question.pam_5prime ? border + length > text.size() : length > border) return;
    const Alignment aligned =
        align(guide, text.substr(question.pam_5prime ? border : border - length, length), bulge, size, first);
    if (!obeys(question, aligned)) return;
    for (Alignment& rival : best) {
      if (question.by_bulge && (rival.bulge != bulge || rival.size != size)) continue;
      if (rank(aligned) < rank(rival)) rival = aligned;
      return;
    }
    best.push_back(aligned);
  };
  consider('X', 0, 0);
  for (std::size_t size = 1; size <= question.dna_bulges; ++size) {
    for (std::size_t first = 1; first < guide.size(); ++first) consider('D', size, first);
  }
  for (std::size_t size = 1; size <= question.rna_bulges; ++size) {
    for (std::size_t first = 1; first + size < guide.size(); ++first) consider('R', size, first);
  }
  return best;
}

void search_strand(const GuideQuestion& question, std::int64_t record, char strand, const StrandText& text,
                   std::vector<GuideHit>& hits) {
  const auto length = static_cast<std::int64_t>(text.letters.size());
  for (std::size_t border = 0; border <= text.letters.size(); ++border) {
    const auto pam = pam_at(question, text.letters, border);
    if (!pam) continue;
    for (std::size_t guide = 0; guide < question.guides.size(); ++guide) {
      for (const Alignment& best : best_at(question, question.guides[guide], text.letters, border)) {
        const auto bases = static_cast<std::int64_t>(
            std::count_if(best.text.begin(), best.text.end(), [](char letter) { return letter != '-'; }));
        const auto pam_bases = static_cast<std::int64_t>(question.pams[*pam].size());
        const auto at = static_cast<std::int64_t>(border);
        const std::int64_t begin = question.pam_5prime ? at - pam_bases : at - bases;
        const std::int64_t end = question.pam_5prime ? at + bases : at + pam_bases;
        bool lower = false;
        for (std::int64_t i = begin; i < end; ++i) lower = lower || text.lower[static_cast<std::size_t>(i)];
        if (lower && question.skip_soft_masked) continue;
        hits.push_back({record, strand == '+' ? begin : length - end, strand == '+' ? end : length - begin, strand,
                        guide, *pam, best.bulge, best.size, best.mismatches, best.guide, best.text});
      }
    }
  }
}

}  // namespace

std::vector<GuideHit> search(const GuideQuestion& question) {
  std::vector<GuideHit> hits;
  for (std::size_t record = 0; record < question.records.size(); ++record) {
    StrandText text;
    for (const char letter : question.records[record]) {
      text.lower.push_back(letter >= 'a' && letter <= 'z');
      const char upper = text.lower.back() ? static_cast<char>(letter - 'a' + 'A') : letter;
      text.letters += upper == 'U' ? 'T' : upper == '-' ? 'N' : upper;  // '-' appears in alignments
    }
    search_strand(question, static_cast<std::int64_t>(record), '+', text, hits);
    text.letters = reverse_complement(text.letters);
    std::reverse(text.lower.begin(), text.lower.end());
    search_strand(question, static_cast<std::int64_t>(record), '-', text, hits);
  }
  std::sort(hits.begin(), hits.end(), [](const GuideHit& a, const GuideHit& b) {
    return std::tuple(a.record, a.start, a.end, a.strand != '+', a.guide, a.pam) <
           std::tuple(b.record, b.start, b.end, b.strand != '+', b.guide, b.pam);
  });
  return hits;
}

std::string print(const GuideHit& hit) {
  std::ostringstream text;
  text << "record " << hit.record << " [" << hit.start << ", " << hit.end << ") " << hit.strand << " guide "
       << hit.guide << " pam " << hit.pam << " " << hit.bulge << hit.size << " mismatches " << hit.mismatches << " "
       << hit.guide_letters << " " << hit.text_letters;
  return text.str();
}

}  // namespace oracle
