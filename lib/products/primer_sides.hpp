// Joins primers that stand alone, each with a name that says its pair and its side.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "lib/products/primer_pairs.hpp"

namespace basesweep {

// A primer of a file where each has a line of its own.
struct LonePrimer {
  std::string name;
  std::string sequence;  // upper case
  std::string pool;
  std::size_t line;  // from 1
};

// The pairs in the order of their first primers. `path`: for messages. Throws DataError as read_primer_pairs() does.
std::vector<PrimerPair> pair_up(const std::string& path, const std::vector<LonePrimer>& primers);

}  // namespace basesweep
