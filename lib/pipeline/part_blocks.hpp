// The rows of all parts of a run, block after block.
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "lib/base/parallel.hpp"
#include "lib/parts/part_set.hpp"
#include "lib/rows/row_block.hpp"

namespace basesweep {

// Calls `take` with the rows of each block and the path of its part, in the order of chunks, by the calling thread;
// `threads` threads decode some blocks ahead. Throws IoError and DataError.
template <class Row, class Take>
void for_each_block(PartSet& parts, int threads, const Take& take) {
  const std::size_t at_once = 4 * static_cast<std::size_t>(std::max(threads, 1));
  std::vector<PartSet::Block> blocks;
  std::vector<DecodedRows<Row>> decoded;
  do {
    blocks.clear();
    while (blocks.size() < at_once) {
      std::optional<PartSet::Block> next = parts.next();
      if (!next) break;
      blocks.push_back(std::move(*next));
    }
    decoded.clear();
    decoded.resize(blocks.size());
    parallel_for(threads, blocks.size(), [&](std::size_t i) { decoded[i] = blocks[i].decode<Row>(); });
    for (std::size_t i = 0; i < blocks.size(); ++i) take(decoded[i].rows(), blocks[i].part->path());
  } while (blocks.size() == at_once);
}

}  // namespace basesweep
