// Code that the calls for reads share.
#pragma once

#include <basesweep/reads.hpp>
#include <cstddef>
#include <functional>
#include <span>

#include "lib/reads/read_list.hpp"
#include "lib/search/pattern.hpp"

namespace basesweep {

inline constexpr const char* kReadsInMemory = "<memory>";  // as messages name them

// Calls work(begin, end) for stretches of the reads, in which pairs are whole, on that many threads.
void over_reads(std::span<const NamedRead> reads, bool paired, int threads,
                const std::function<void(std::size_t begin, std::size_t end)>& work);

// Throws UsageError unless the number of mates is even.
void check_pairs(std::span<const NamedRead> reads, bool paired);

// The views of these reads. Throws DataError for a read with more or fewer qualities than bases.
ReadList list_of(std::span<const NamedRead> reads, bool paired);

template <class Strands>
StrandChoice strand_choice(Strands strands) {
  switch (strands) {
    case Strands::plus: return StrandChoice::plus;
    case Strands::minus: return StrandChoice::minus;
    default: return StrandChoice::both;
  }
}

}  // namespace basesweep
