#include <cmath>
#include <filesystem>
#include <thread>

#include "lib/base/control_groups.hpp"
#include "lib/base/threads.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/files.hpp"

namespace basesweep::test_threads {

TEST_CASE("as many threads as the machine allows, at least one") {
  CHECK(basesweep::available_threads() >= 1);
  const unsigned processors = std::thread::hardware_concurrency();
  if (processors != 0) CHECK(basesweep::available_threads() <= static_cast<int>(processors));
}

TEST_CASE("limits of control groups, of either version, and none") {
  const support::ScratchFolder v2;
  CHECK(std::isinf(basesweep::control_group_cpus(v2.path(""))));
  CHECK_FALSE(basesweep::control_group_memory_bytes(v2.path("")));
  support::write_file(v2.path("cpu.max"), "150000 100000\n");
  support::write_file(v2.path("memory.max"), "2147483648\n");
  CHECK(basesweep::control_group_cpus(v2.path("")) == 1.5);
  CHECK(basesweep::control_group_memory_bytes(v2.path("")) == 2147483648U);
  support::write_file(v2.path("cpu.max"), "max 100000\n");
  support::write_file(v2.path("memory.max"), "max\n");
  CHECK(std::isinf(basesweep::control_group_cpus(v2.path(""))));
  CHECK_FALSE(basesweep::control_group_memory_bytes(v2.path("")));

  const support::ScratchFolder v1;
  std::filesystem::create_directory(v1.path("cpu"));
  std::filesystem::create_directory(v1.path("memory"));
  support::write_file(v1.path("cpu/cpu.cfs_quota_us"), "50000\n");
  support::write_file(v1.path("cpu/cpu.cfs_period_us"), "100000\n");
  support::write_file(v1.path("memory/memory.limit_in_bytes"), "9223372036854771712\n");  // none
  CHECK(basesweep::control_group_cpus(v1.path("")) == 0.5);
  CHECK_FALSE(basesweep::control_group_memory_bytes(v1.path("")));
  support::write_file(v1.path("memory/memory.limit_in_bytes"), "1073741824\n");
  CHECK(basesweep::control_group_memory_bytes(v1.path("")) == 1073741824U);
}

}  // namespace basesweep::test_threads
