// The steps of `neighbors`, for the CPU and CUDA threads: the text beside a gram, and the check of a whole query.
#pragma once

#include <cstdint>

#include "kernels/approximate/neighbors/index.hpp"
#include "kernels/text.hpp"
#include "lib/search/packed_batch.hpp"

namespace basesweep::neighbors {

BASESWEEP_HD std::uint32_t near_mask(std::uint32_t near) { return (1U << near) - 1; }

// `near` positions of text in the form of an entry, from the lowest bits of the planes' words on.
BASESWEEP_HD std::uint32_t near_text(std::uint64_t lo, std::uint64_t hi, std::uint32_t near) {
  const std::uint32_t mask = near_mask(near);
  return (static_cast<std::uint32_t>(lo) & mask) | (static_cast<std::uint32_t>(hi) & mask) << near;
}

// A bit for each near position where the entry and the text differ.
template <class Lanes>
BASESWEEP_HD Lanes near_mismatches(Lanes entry, Lanes text, std::uint32_t near) {
  const Lanes different = entry ^ text;
  return (different | different >> near) & near_mask(near);
}

// Calls found(last, id) if the query whose gram the text has at `position` lies there with few enough mismatches.
template <class Found>
BASESWEEP_HD void verify(const IndexView& index, const PackedView& text, std::uint32_t entry, std::uint32_t position,
                         Found found) {
  const Seed& seed = index.seeds[index.seed_of[entry]];
  const SearchedQuery query = index.queries[seed.slot];
  if (position < seed.offset) return;
  const std::uint32_t start = position - seed.offset;
  if (query.length > text.positions || start > text.positions - query.length) return;
  std::uint32_t count = 0;
  const MatchBlock* block = index.blocks + query.first_block;
  for (std::uint32_t done = 0; done < query.length; done += kMatchBlockPositions, ++block) {
    const std::uint64_t bits =
        mismatches(*block, positions_at(text.lo, start + done), positions_at(text.hi, start + done));
#ifdef __CUDA_ARCH__
    count += static_cast<std::uint32_t>(__popcll(bits));
#else
    count += static_cast<std::uint32_t>(__builtin_popcountll(bits));
#endif
    if (count > query.max) return;
  }
  found(start + query.length - 1, query.id);
}

}  // namespace basesweep::neighbors
