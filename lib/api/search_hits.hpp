// Hits one by one, made of batches.
#pragma once

#include <basesweep/basesweep.hpp>
#include <functional>
#include <string>
#include <vector>

namespace basesweep {

// The columns that SearchHit is made of.
std::vector<std::string> hit_columns(const SearchOptions& o, bool approximate);

// Calls take(hit) for the rows of a batch that has these columns.
void give_hits(const Batch& batch, const std::function<void(const SearchHit&)>& take);

}  // namespace basesweep
