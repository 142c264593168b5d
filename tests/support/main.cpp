// Runs the test cases, then tells what was compared.
#if !__has_include(<catch2/catch_all.hpp>)
#define CATCH_CONFIG_RUNNER
#endif
#include "tests/support/catch.hpp"
#include "tests/support/tally.hpp"

int main(int argc, char** argv) {
  const int result = Catch::Session().run(argc, argv);
  support::tally().print();
  return result;
}
