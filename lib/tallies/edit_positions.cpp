#include "lib/tallies/edit_positions.hpp"

#include <array>

#include "lib/base/count_lists.hpp"
#include "lib/base/dna.hpp"

namespace basesweep {
namespace {

// The base of each letter of a text, as a set; a letter that is not A, C, G or T matches nothing.
constexpr std::array<BaseSet, 256> kTextSets = [] {
  std::array<BaseSet, 256> sets{};
  for (const char letter : {'A', 'C', 'G', 'T'}) sets[static_cast<unsigned char>(letter)] = iupac_set(letter);
  return sets;
}();

}  // namespace

void EditPositions::add(const Query& query, std::string_view letters) {
  const std::size_t length = query.sets.size();
  if (mismatches.size() < length) mismatches.resize(length);
  const bool turned = query.strand == Strand::minus;
  const auto differs = [&](std::size_t i) {
    return (kTextSets[static_cast<unsigned char>(letters[i])] & query.sets[i]) == 0;
  };
  for_each_difference(length, differs, [&](std::size_t i) { ++mismatches[turned ? length - 1 - i : i]; });
}

void EditPositions::add(const Query& query, std::span<const CigarRun> cigar) {
  const std::size_t length = query.sets.size();
  const bool turned = query.strand == Strand::minus;
  std::size_t at = 0;  // position of the query
  const auto add_bases = [&](std::uint32_t bases, std::vector<std::uint64_t>& counts) {
    for (std::uint32_t i = 0; i < bases; ++i, ++at) add_count(turned ? length - 1 - at : at, counts);
  };
  for (const CigarRun& run : cigar) {
    switch (run.op) {
      case 'X': add_bases(run.length, mismatches); break;
      case 'I': add_bases(run.length, insertions); break;
      case 'D': add_count(turned ? length - at : at, deletions, run.length); break;
      default: at += run.length;
    }
  }
}

void EditPositions::add(const EditPositions& other) {
  add_counts(other.mismatches, mismatches);
  add_counts(other.insertions, insertions);
  add_counts(other.deletions, deletions);
}

}  // namespace basesweep
