// The index of the reference's q-grams, made on the CPU.
#pragma once

#include <cstdint>

#include "kernels/seeds/huge_array.hpp"
#include "kernels/seeds/step.hpp"
#include "lib/packed_batch.hpp"

namespace basesweep::seeds {

// Takes 4 bytes a column, 4 a key, and 2 a column more while it is made. The same for any number of threads.
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
