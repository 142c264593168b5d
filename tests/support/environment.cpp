#include "tests/support/environment.hpp"

#include <cstdlib>
#include <stdexcept>

#include "kernels/cuda/cuda.hpp"
#include "lib/finder.hpp"

namespace support {
namespace {

using namespace basesweep;

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr std::uint64_t kSlowness = 20;
#else
constexpr std::uint64_t kSlowness = 1;
#endif

const char* variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr || *value == '\0' ? nullptr : value;
}

std::vector<Target> make_targets(std::vector<Algorithm> algorithms) {
  algorithms.insert(algorithms.begin(), Algorithm::automatic);
  const std::string devices = variable("BASESWEEP_TEST_DEVICES") == nullptr ? "" : variable("BASESWEEP_TEST_DEVICES");
  if (!devices.empty() && devices != "cpu" && devices != "gpu" && devices != "cpu,gpu") {
    throw std::runtime_error("BASESWEEP_TEST_DEVICES=" + devices + ": expected cpu, gpu or cpu,gpu");
  }
  bool gpu = devices != "cpu";
  if (gpu) {
    const auto reason = cuda::unusable_reason(0);
    if (reason && !devices.empty()) throw std::runtime_error("BASESWEEP_TEST_DEVICES=" + devices + ": " + *reason);
    gpu = !reason;
  }
  std::vector<Target> targets;
  const char* only = variable("BASESWEEP_TEST_ALGORITHM");
  for (const Algorithm algorithm : algorithms) {
    if (only != nullptr && std::string(only) != to_string(algorithm)) continue;
    const std::string name = std::string(to_string(algorithm)) + ", ";
    if (devices != "gpu") {
      for (const Isa isa : available_isas()) {
        targets.push_back({algorithm, Device::cpu, isa, name + "cpu " + to_string(isa)});
      }
    }
    if (gpu) targets.push_back({algorithm, Device::gpu, best_isa(), name + "gpu"});
  }
  return targets;
}

}  // namespace

std::uint64_t test_seed() {
  const char* value = variable("BASESWEEP_TEST_SEED");
  return value == nullptr ? 20240229 : std::strtoull(value, nullptr, 10);
}

std::uint64_t test_cases(std::uint64_t usual) {
  const char* value = variable("BASESWEEP_TEST_CASES");
  return value == nullptr ? usual / kSlowness : std::strtoull(value, nullptr, 10);
}

const std::vector<Target>& targets() {
  static const std::vector<Target> targets = make_targets(exact_algorithms());
  return targets;
}

const std::vector<Target>& approximate_targets() {
  static const std::vector<Target> targets = make_targets(approximate_algorithms());
  return targets;
}

const std::vector<Target>& read_targets() {
  static const std::vector<Target> targets = make_targets(read_algorithms());
  return targets;
}

bool on_gpu() {
  for (const Target& target : targets()) {
    if (target.device == Device::gpu) return true;
  }
  return false;
}

}  // namespace support
