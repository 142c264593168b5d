#include "lib/base/parallel.hpp"

#include <latch>
#include <stdexcept>

#include "tests/support/catch.hpp"

namespace basesweep::test_parallel {

TEST_CASE("a parallel loop does everything once, and passes on exceptions") {
  for (const int threads : {0, 1, 2, 7}) {
    for (const std::size_t count : {0, 1, 3, 1000}) {
      std::vector<std::atomic<int>> calls(count);
      basesweep::parallel_for(threads, count, [&calls](std::size_t i) { ++calls[i]; });
      for (const std::atomic<int>& n : calls) CHECK(n == 1);
    }
    CHECK_THROWS_AS(basesweep::parallel_for(threads, 100,
                                            [](std::size_t i) {
                                              if (i % 10 == 3) throw std::runtime_error("no");
                                            }),
                    std::runtime_error);
  }
}

TEST_CASE("a parallel loop keeps several threads at work") {
  std::latch both(2);
  basesweep::parallel_for(2, 2, [&both](std::size_t) { both.arrive_and_wait(); });
  CHECK(both.try_wait());
}

}  // namespace basesweep::test_parallel
