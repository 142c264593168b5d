// Choices on how candidates are found, the same for the CPU and for a GPU.
#pragma once

#include <cstdint>

#include "lib/search/finder.hpp"

namespace basesweep::seeds {

// The q of an index of a reference with this many positions: the smallest with which a q-gram has at most about four
// places in random text.
std::uint32_t gram_for(std::uint32_t positions);

// The number of seeds that a query is cut into on the CPU; 0: all positions of the reference are searched. With
// edits + 1 seeds they are looked up as they are, with fewer they may have errors. `automatic` and `index`: what is
// expected to cost least in random text.
std::uint32_t seeds_for(const ReadQuery& query, std::uint32_t positions, Candidates candidates);

// Whether places of seeds are filtered by the blocks around them, for a query that is cut into `seeds`. True where a
// window of the query takes much longer to verify than a block.
bool has_blocks(const ReadQuery& query, std::uint32_t seeds);

// For a GPU, where seeds have no errors. True if all positions of the reference are searched for the query, false if
// only those near an occurrence of a seed are. `automatic`: what is expected to cost less in random text.
bool is_swept(const ReadQuery& query, std::uint32_t positions, Candidates candidates);

// The time expected for a query in random text: on one core, and on a GPU as measured on an H200.
struct QuerySeconds {
  double core, gpu;
};
QuerySeconds expected_seconds(const ReadQuery& query, std::uint32_t positions);

// How many positions the windows of a sweep have; the last one may have fewer. It is several times as many as are read
// in front of each window.
std::uint32_t stretch_positions(const ReadQuery& query);

}  // namespace basesweep::seeds
