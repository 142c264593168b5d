// Plans: one that is read can be printed and read again.
#include "lib/parts/plan.hpp"
#include "tests/fuzz/fuzz.hpp"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace basesweep;
  const fuzz::MemoryFile file({reinterpret_cast<const char*>(data), size});
  fuzz::refuses([&] {
    const Plan plan = read_plan(file.path());
    const Plan again = read_plan(fuzz::MemoryFile(print_plan(plan)).path());
    fuzz::require(plan.rows == again.rows && plan.chunks == again.chunks && plan.unit == again.unit,
                  "a printed plan is read as it was");
    if (plan.unit == PlanUnit::records) return static_cast<void>(plan.range_of(1));
    plan.records();
    plan.regions_of(1);
    plan.regions_of(plan.chunks);
  });
  return 0;
}
