// The text of a batch's hits.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "lib/hit.hpp"
#include "lib/packed_batch.hpp"
#include "lib/writer/formatter.hpp"

namespace basesweep {

// Printed in parts, side by side where there are many, and not all at once where there are very many.
class HitText {
 public:
  // Prints the next of the hits, which are the same at each call, in place of what is held.
  void print_next(const Formatter& formatter, const PackedBatch& batch, std::span<const Hit> hits);
  bool printed_all(std::span<const Hit> hits) const { return printed_ == hits.size(); }
  const std::vector<Text>& parts() const { return parts_; }

 private:
  std::vector<Text> parts_;
  std::size_t printed_ = 0;
};

}  // namespace basesweep
