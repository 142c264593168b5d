// Prints hits as BED or TSV.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lib/hit.hpp"
#include "lib/packed_batch.hpp"
#include "lib/pattern_set.hpp"

namespace basesweep {

enum class OutputFormat { bed, tsv };

// Text that was made in one piece.
struct Text {
  std::unique_ptr<char[]> data;
  std::size_t size = 0;
  std::string_view view() const { return {data.get(), size}; }
};

// BED: record, start, end, pattern, score (1000: an exact hit), strand. TSV: record, start, end, pattern, strand,
// matched text as the pattern's strand reads it. Both 0-based half-open on the forward strand.
class Formatter {
 public:
  Formatter(const PatternSet& patterns, OutputFormat format);

  // What stands before the first hit.
  std::string header() const;
  // Lines of hits, in their order, which must be that of the columns. Thread-safe.
  Text format(const PackedBatch& batch, std::span<const BatchHit> hits) const;

 private:
  const PatternSet& patterns_;
  OutputFormat format_;
  std::vector<std::string> tails_;  // what follows the end on a line of each entry, less matched text
};

}  // namespace basesweep
