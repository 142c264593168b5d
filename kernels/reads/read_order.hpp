// The order in which a GPU works on the queries of reads: neighbouring threads should have similar work.
#pragma once

#include <cstdint>
#include <vector>

#include "lib/search/finder.hpp"
#include "lib/search/read_queries.hpp"

namespace basesweep::cuda {

struct ReadOrder {
  // First those that are looked up in the index, then those that are swept, each in order of length.
  std::vector<ReadQuery> queries;
  std::vector<std::uint32_t> numbers;  // their numbers in the batch
  std::uint32_t looked_up = 0;         // how many are looked up
};

// Orders queries [begin, end) of a batch. Leaves out those that are not searched for. `positions`: length of the
// reference.
ReadOrder order_queries(const ReadQueryView& reads, std::uint32_t begin, std::uint32_t end, std::uint32_t positions,
                        Candidates candidates);

// Queries that have the same number of words.
struct WordsGroup {
  std::uint32_t words;
  std::uint32_t begin, end;  // indices [begin, end) into the list that was grouped
  std::uint32_t longest;     // positions of the longest query
  std::uint32_t max_edits;
  // The last positions of a window's candidates lie in at most this many positions; a power of 2.
  std::uint32_t stretch;
};

// Groups queries, given as indices into order.queries. These must be in order of length.
std::vector<WordsGroup> group_by_words(const ReadOrder& order, const std::vector<std::uint32_t>& places);

}  // namespace basesweep::cuda
