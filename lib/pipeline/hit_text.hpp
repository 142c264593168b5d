// The output text of a batch's hits.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "lib/search/hit.hpp"
#include "lib/writer/formatter.hpp"

namespace basesweep {

class PackedBatch;  // lib/search/packed_batch.hpp

// Prints hits in parts, which are formatted in parallel. When there is much text, only about 8 MB are held at a time.
class HitText {
 public:
  // Prints the next hits of the batch, in place of the parts held so far. `hits`: all of them, the same at each call.
  // `standings`: of the batch's records. Calls a parallel loop.
  void print_next(const Formatter& formatter, const PackedBatch& batch, std::span<const Hit> hits,
                  const BatchStandings& standings);
  bool printed_all(std::span<const Hit> hits) const { return printed_ == hits.size(); }
  const std::vector<RowText>& parts() const { return parts_; }

 private:
  std::vector<RowText> parts_;
  std::size_t printed_ = 0;
  std::size_t hit_bytes_ = 0;  // of a line, as far as is known; 0: nothing was printed
};

}  // namespace basesweep
