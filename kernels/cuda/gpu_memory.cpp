#include "kernels/cuda/gpu_memory.hpp"

#include <cstdlib>
#include <limits>
#include <string>

#include "lib/base/error.hpp"
#include "lib/base/fields.hpp"

namespace basesweep {

std::size_t allowed_gpu_bytes() {
  std::size_t bytes = std::numeric_limits<std::size_t>::max();
  const char* text = std::getenv("BASESWEEP_GPU_MEMORY");
  if (text == nullptr || *text == '\0') return bytes;
  if (!parse_number(text, bytes)) {
    throw UsageError(std::string("BASESWEEP_GPU_MEMORY=") + text + ": expected a number of bytes");
  }
  return bytes;
}

}  // namespace basesweep
