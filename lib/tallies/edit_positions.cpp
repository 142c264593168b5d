#include "lib/tallies/edit_positions.hpp"

#include <algorithm>

namespace basesweep {
namespace {

void add_at(std::size_t position, std::uint64_t times, std::vector<std::uint64_t>& counts) {
  if (position >= counts.size()) counts.resize(position + 1);
  counts[position] += times;
}

}  // namespace

void add_counts(const std::vector<std::uint64_t>& more, std::vector<std::uint64_t>& sum) {
  sum.resize(std::max(sum.size(), more.size()));
  for (std::size_t i = 0; i < more.size(); ++i) sum[i] += more[i];
}

void EditPositions::add(const Query& query, std::span<const CigarRun> cigar) {
  const std::size_t length = query.sets.size();
  const bool turned = query.strand == Strand::minus;
  std::size_t at = 0;  // position of the query
  const auto add_bases = [&](std::uint32_t bases, std::vector<std::uint64_t>& counts) {
    for (std::uint32_t i = 0; i < bases; ++i, ++at) add_at(turned ? length - 1 - at : at, 1, counts);
  };
  for (const CigarRun& run : cigar) {
    switch (run.op) {
      case 'X': add_bases(run.length, mismatches); break;
      case 'I': add_bases(run.length, insertions); break;
      case 'D': add_at(turned ? length - at : at, run.length, deletions); break;
      default: at += run.length;
    }
  }
}

void EditPositions::add(const EditPositions& other) {
  hits += other.hits;
  add_counts(other.mismatches, mismatches);
  add_counts(other.insertions, insertions);
  add_counts(other.deletions, deletions);
}

}  // namespace basesweep
