// BASESWEEP_GPU_MEMORY bounds the memory of GPUs that is used.
#include <cstddef>
#include <limits>
#include <string>

#include "kernels/cuda/gpu_memory.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/setting.hpp"

namespace basesweep::test_gpu_memory {

TEST_CASE("BASESWEEP_GPU_MEMORY is a number of bytes or nothing", "[gpu_memory]") {
  const auto allowed = [](const char* text) {
    const support::Setting setting("BASESWEEP_GPU_MEMORY", text);
    return allowed_gpu_bytes();
  };
  CHECK(allowed("") == std::numeric_limits<std::size_t>::max());
  CHECK(allowed("4294967296") == std::size_t{1} << 32);
  for (const char* wrong : {"4G", "-1", " 5", "1e9", "99999999999999999999"}) {
    CHECK_THROWS_WITH(allowed(wrong), std::string("BASESWEEP_GPU_MEMORY=") + wrong + ": expected a number of bytes");
  }
}

}  // namespace basesweep::test_gpu_memory
