// Runs the test cases, then prints the seed, the share of random cases that ran, and how many cases were compared.
#if !__has_include(<catch2/catch_all.hpp>)
#define CATCH_CONFIG_RUNNER
#endif
#include <fmt/format.h>

#include "tests/support/catch.hpp"
#include "tests/support/environment.hpp"
#include "tests/support/tally.hpp"

int main(int argc, char** argv) {
  const int result = Catch::Session().run(argc, argv);
  support::tally().print();
  fmt::print("BASESWEEP_TEST_SEED={} BASESWEEP_TEST_PERCENT={} BASESWEEP_TEST_STRIDE={}\n", support::test_seed(),
             support::test_percent(), support::test_stride());
  return result;
}
