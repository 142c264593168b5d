#include "lib/rows/aligned_letters.hpp"

#include <algorithm>
#include <cstddef>

#include "lib/rows/letters.hpp"

namespace basesweep {

void draw_alignment(const Query& query, std::string_view letters, std::span<const CigarRun> cigar, AlignedLetters& to) {
  to.pattern.clear();
  to.text.clear();
  std::size_t drawn = 0;  // bases of the query
  for (const CigarRun& run : cigar) {
    if (run.op == 'S') {
      for (std::uint32_t i = 0; i < run.length; ++i) to.pattern += iupac_letter(query.sets[drawn++]);
      to.text.append(run.length, '.');
      continue;
    }
    for (std::uint32_t i = 0; i < run.length; ++i) {
      to.pattern += run.op == 'D' ? '-' : iupac_letter(query.sets[drawn++]);
      to.text += run.op == 'I' ? '-' : letters.front();
      if (run.op != 'I') letters.remove_prefix(1);
    }
  }
  if (query.strand == Strand::plus) return;
  for (std::string* line : {&to.pattern, &to.text}) {
    std::reverse(line->begin(), line->end());
    std::transform(line->begin(), line->end(), line->begin(), complement_letter);
  }
}

}  // namespace basesweep
