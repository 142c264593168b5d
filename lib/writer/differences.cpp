#include "lib/writer/differences.hpp"

#include <htslib/hts.h>

#include "lib/rows/letters.hpp"

namespace basesweep {
namespace {

unsigned code(char letter) { return seq_nt16_table[static_cast<unsigned char>(letter)]; }

bool same(char a, char b) {
  constexpr unsigned kAnyCode = 15;
  return code(a) == code(b) && code(a) != kAnyCode;
}

}  // namespace

void find_differences(std::string_view query, std::string_view letters, std::span<const CigarRun> cigar,
                      Differences& to) {
  to.count = 0;
  to.text.clear();
  std::uint32_t matched = 0;
  const auto end_match = [&] {
    char digits[kNumberDigits];
    to.text.append(digits, put(digits, std::int64_t{matched}));
    matched = 0;
  };
  for (const CigarRun& run : cigar) {
    if (run.op == 'I') {
      query.remove_prefix(run.length);
      to.count += run.length;
      continue;
    }
    if (run.op == 'D') {
      end_match();
      to.text.append("^").append(letters.substr(0, run.length));
      letters.remove_prefix(run.length);
      to.count += run.length;
      continue;
    }
    // Nearly all runs are of equal bases, so they are counted without looking at each letter.
    const bool equal = run.op == '=' && query.substr(0, run.length) == letters.substr(0, run.length);
    if (equal) matched += run.length;
    for (std::uint32_t i = 0; !equal && i < run.length; ++i) {
      if (same(query[i], letters[i])) {
        ++matched;
        continue;
      }
      end_match();
      to.text += letters[i];
      ++to.count;
    }
    query.remove_prefix(run.length);
    letters.remove_prefix(run.length);
  }
  end_match();
}

void join_matches(std::span<const CigarRun> cigar, std::vector<CigarRun>& to) {
  to.clear();
  for (const CigarRun& run : cigar) {
    const char op = run.op == '=' || run.op == 'X' ? 'M' : run.op;
    if (!to.empty() && to.back().op == op) {
      to.back().length += run.length;
    } else {
      to.push_back({run.length, op});
    }
  }
}

}  // namespace basesweep
