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
  if (hits.size() < length) hits.resize(length);
  const bool turned = query.strand == Strand::minus;
  const auto differs = [&](std::size_t i) {
    return (kTextSets[static_cast<unsigned char>(letters[i])] & query.sets[i]) == 0;
  };
  for_each_difference(length, differs, [&](std::size_t i) {
    const std::size_t position = turned ? length - 1 - i : i;
    ++mismatches[position];
    ++hits[position];
  });
}

void EditPositions::add(const Query& query, std::span<const CigarRun> cigar) {
  const std::size_t length = query.sets.size();
  const bool turned = query.strand == Strand::minus;
  std::size_t at = 0;  // position of the query
  // Edits at one position follow one another in the alignment.
  std::size_t last = length + 1;
  const auto add_edit = [&](std::size_t position, std::uint32_t bases, std::vector<std::uint64_t>& counts) {
    add_count(position, counts, bases);
    if (position != last) add_count(position, hits);
    last = position;
  };
  const auto add_bases = [&](std::uint32_t bases, std::vector<std::uint64_t>& counts) {
    for (std::uint32_t i = 0; i < bases; ++i, ++at) add_edit(turned ? length - 1 - at : at, 1, counts);
  };
  for (const CigarRun& run : cigar) {
    switch (run.op) {
      case 'X': add_bases(run.length, mismatches); break;
      case 'I': add_bases(run.length, insertions); break;
      case 'D': add_edit(turned ? length - at : at, run.length, deletions); break;
      default: at += run.length;
    }
  }
}

void EditPositions::add(const EditPositions& other) {
  add_counts(other.mismatches, mismatches);
  add_counts(other.insertions, insertions);
  add_counts(other.deletions, deletions);
  add_counts(other.hits, hits);
}

}  // namespace basesweep
