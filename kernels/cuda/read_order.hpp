// The order in which a GPU works on the entries of reads: threads side by side should have like work.
#pragma once

#include <cstdint>
#include <vector>

#include "lib/finder.hpp"
#include "lib/reads/read_batch.hpp"

namespace basesweep::cuda {

struct ReadOrder {
  std::vector<SoughtEntry> entries;    // those that are searched for: first by the index, then by a sweep; by length
  std::vector<std::uint32_t> numbers;  // of them in the batch
  std::uint32_t looked_up = 0;         // by the index
};

// Of entries [begin, end) of a batch, on a reference of so many columns.
ReadOrder order_entries(const ReadBatch& reads, std::uint32_t begin, std::uint32_t end, std::uint32_t columns,
                        Candidates candidates);

// Entries that have as many words.
struct WordsGroup {
  std::uint32_t words;
  std::uint32_t begin, end;  // places in what was grouped
  std::uint32_t longest;     // columns of an entry, at most
  std::uint32_t most_edits;
  std::uint32_t stretch;  // columns, a power of 2: of a window's candidates, at most
};

// Groups `places` in order.entries, which are in order of length.
std::vector<WordsGroup> group_by_words(const ReadOrder& order, const std::vector<std::uint32_t>& places);

}  // namespace basesweep::cuda
