#include <thread>

#include "lib/threads.hpp"
#include "tests/support/catch.hpp"

TEST_CASE("as many threads as the machine lets us, at least one") {
  CHECK(basesweep::available_threads() >= 1);
  const unsigned processors = std::thread::hardware_concurrency();
  if (processors != 0) CHECK(basesweep::available_threads() <= static_cast<int>(processors));
}
