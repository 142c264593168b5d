#include "tests/support/environment.hpp"

#include <fmt/format.h>

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

// Whether on the CPU one loop serves all instruction sets.
bool has_one_loop(Algorithm algorithm) {
  switch (algorithm) {
    case Algorithm::ac_dfa:
    case Algorithm::ac_nfa:
    case Algorithm::set_horspool:
    case Algorithm::sbom:
    case Algorithm::wu_manber:
    case Algorithm::sog:
    case Algorithm::crk:
    case Algorithm::drk:
    case Algorithm::drk_wom32:
    case Algorithm::drk_wom64:
    case Algorithm::hrk: return true;
    default: return false;
  }
}

// Whether the algorithm is run in the stages of kernels/tuning.hpp.
bool staged(Algorithm algorithm) {
  return algorithm == Algorithm::set_horspool || algorithm == Algorithm::sbom || algorithm == Algorithm::wu_manber ||
         algorithm == Algorithm::sog;
}

// Adds the target and those that differ from it in how the algorithm is run.
void add_variants(std::vector<Target>& targets, const Target& usual) {
  const auto add = [&](const std::string& suffix, const Tuning& tuning) {
    Target target = usual;
    target.name += suffix;
    target.tuning = tuning;
    targets.push_back(target);
  };
  add("", {});
  std::vector<std::uint32_t> blocks;
  if (usual.algorithm == Algorithm::wu_manber) blocks = {2, 3};
  if (usual.algorithm == Algorithm::sog) blocks = {3};
  for (const std::uint32_t block : blocks) add(fmt::format(", B={}", block), {.block = block});
  if (usual.algorithm == Algorithm::qgrams) {
    for (const auto& [q, step] : {std::pair{8U, 3U}, {9U, 6U}, {10U, 8U}}) {
      add(fmt::format(", q={} step={}", q, step), {.block = q, .step = step});
    }
  }
  if (usual.algorithm == Algorithm::ac_nfa) {
    add(", supply links", {.supply_links = true});
    if (usual.device == Device::gpu) add(", supply links, stage 1", {.stage = Stage::plain, .supply_links = true});
  }
  if (usual.device != Device::gpu || !staged(usual.algorithm)) return;
  for (const Stage stage : kStages) {
    if (stage != Tuning{}.stage) add(fmt::format(", stage {}", static_cast<int>(stage) + 1), {.stage = stage});
  }
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
      if (has_one_loop(algorithm)) {
        add_variants(targets, {algorithm, Device::cpu, best_isa(), name + "cpu"});
      } else {
        for (const Isa isa : available_isas()) {
          add_variants(targets, {algorithm, Device::cpu, isa, name + "cpu " + to_string(isa)});
        }
      }
    }
    if (gpu) add_variants(targets, {algorithm, Device::gpu, best_isa(), name + "gpu"});
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
