// The index of the reference's q-grams, built on the CPU.
#pragma once

#include <cstdint>

#include "kernels/cpu/huge_array.hpp"
#include "kernels/reads/seeds/step.hpp"
#include "lib/search/packed_batch.hpp"

namespace basesweep::seeds {

// Takes 4 bytes per position and 4 per key, and 2 more per position while it is built. Its content does not depend on
// the number of threads.
class Index {
 public:
  Index(const PackedBatch& reference, int threads);

  IndexView view() const { return {starts_.get(), positions_.get(), gram_}; }

 private:
  std::uint32_t gram_;
  HugeArray<std::uint32_t> starts_;
  HugeArray<std::uint32_t> positions_;
};

}  // namespace basesweep::seeds
