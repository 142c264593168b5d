#include "lib/writer/differences.hpp"

#include <htslib/hts.h>

#include <utility>

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
  constexpr std::uint32_t kShortRun = 32;
  to.count = 0;
  // A letter takes 3 bytes at most: those of a mismatch with the number before it, or of a deleted one with its sign.
  to.text.resize(3 * letters.size() + 2 * cigar.size() + kNumberDigits);
  char* text = to.text.data();
  std::uint32_t matched = 0;
  const auto end_match = [&] { text = put(text, std::int64_t{std::exchange(matched, 0)}); };
  for (const CigarRun& run : cigar) {
    if (run.op == 'I') {
      query.remove_prefix(run.length);
      to.count += run.length;
      continue;
    }
    if (run.op == 'D') {
      end_match();
      *text++ = '^';
      text = put(text, letters.substr(0, run.length));
      letters.remove_prefix(run.length);
      to.count += run.length;
      continue;
    }
    // Long runs are of equal bases nearly always, so they are counted without looking at each letter.
    const bool equal =
        run.op == '=' && run.length > kShortRun && query.substr(0, run.length) == letters.substr(0, run.length);
    std::uint32_t end = 0;  // of what is counted of the run
    const auto differs = [&](std::size_t i) { return !same(query[i], letters[i]); };
    const auto count_mismatch = [&](std::size_t i) {
      matched += static_cast<std::uint32_t>(i) - end;
      end_match();
      *text++ = letters[i];
      ++to.count;
      end = static_cast<std::uint32_t>(i) + 1;
    };
    if (!equal) for_each_difference(run.length, differs, count_mismatch);
    matched += run.length - end;
    query.remove_prefix(run.length);
    letters.remove_prefix(run.length);
  }
  end_match();
  to.text.resize(static_cast<std::size_t>(text - to.text.data()));
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
