#include "tests/support/environment.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <stdexcept>
#include <utility>

#include "kernels/cuda/cuda.hpp"
#include "kernels/registry/rooms.hpp"

namespace support {
namespace {

using namespace basesweep;

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr std::uint64_t kSlowness = 20;  // runs of a sanitizer build are this many times shorter
#else
constexpr std::uint64_t kSlowness = 1;
#endif

const char* variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr || *value == '\0' ? nullptr : value;
}

// Adds `usual` and the same target with each other setting of the algorithm's tuning.
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
    add(", fixed levels", {.nfa_walk = NfaWalk::levels});
    add(", links as needed", {.nfa_walk = NfaWalk::as_needed});
    add(", Algorithm 4", {.nfa_walk = NfaWalk::charan_4});
    add(", Algorithm 5", {.nfa_walk = NfaWalk::charan_5});
    add(", supply links", {.nfa_walk = NfaWalk::staged});
    if (usual.device == Device::gpu) {
      add(", nodes in constant memory", {.nfa_walk = NfaWalk::constant});
      add(", supply links, stage 1", {.stage = Stage::plain, .nfa_walk = NfaWalk::staged});
    }
  }
  if (usual.algorithm == Algorithm::ac_dfa) {
    add(", leaves with rows", {.leaves = Leaves::rows});
    add(", leaves with links", {.leaves = Leaves::links});
    add(", in order of insertion", {.order = StateOrder::insertion});
    if (usual.device == Device::gpu) {
      add(", links in moves", {.leaves = Leaves::moves});
      add(", counters in the device's memory", {.counters = Counters::device});
      add(", half of the counters in shared memory", {.counters = Counters::first_states});
      add(", text through shared memory", {.shared_text = true});
    }
  }
  if (usual.device != Device::gpu || usual.algorithm == Algorithm::automatic) return;
  if (!room_of(usual.algorithm).staged) return;
  for (const std::uint32_t stretch : {160U, 544U}) add(fmt::format(", {} positions", stretch), {.stretch = stretch});
  for (const Stage stage : kStages) {
    if (stage != Tuning{}.stage) add(fmt::format(", stage {}", static_cast<int>(stage) + 1), {.stage = stage});
  }
}

std::vector<Target> make_targets(std::vector<Algorithm> algorithms) {
  algorithms.insert(algorithms.begin(), Algorithm::automatic);
  const std::vector<TestedDevice> devices = tested_devices();
  std::vector<Target> targets;
  const char* only = variable("BASESWEEP_TEST_ALGORITHM");
  for (const Algorithm algorithm : algorithms) {
    if (only != nullptr && std::string(only) != to_string(algorithm)) continue;
    const std::string name = std::string(to_string(algorithm)) + ", ";
    const bool one_loop = algorithm != Algorithm::automatic && room_of(algorithm).cpu_loop == CpuLoop::one;
    for (const TestedDevice& device : devices) {
      const bool every = device.device == Device::cpu && one_loop;
      if (every && device.isa != best_isa()) continue;
      add_variants(targets, {algorithm, device.device, device.isa, name + (every ? "cpu" : device.name)});
    }
  }
  return targets;
}

}  // namespace

std::uint64_t test_seed() {
  const char* value = variable("BASESWEEP_TEST_SEED");
  return value == nullptr ? 20240229 : std::strtoull(value, nullptr, 10);
}

std::uint64_t test_percent() {
  const char* value = variable("BASESWEEP_TEST_PERCENT");
  return value == nullptr ? 100 : std::strtoull(value, nullptr, 10);
}

std::uint64_t test_stride() {
  const char* value = variable("BASESWEEP_TEST_STRIDE");
  return value == nullptr ? 1 : std::max<std::uint64_t>(1, std::strtoull(value, nullptr, 10));
}

std::uint64_t test_cases(std::uint64_t usual) {
  const char* value = variable("BASESWEEP_TEST_CASES");
  if (value != nullptr) return std::strtoull(value, nullptr, 10);
  return std::max<std::uint64_t>(1, usual * test_percent() / 100 / kSlowness);
}

std::vector<TestedDevice> tested_devices() {
  const std::string devices = variable("BASESWEEP_TEST_DEVICES") == nullptr ? "" : variable("BASESWEEP_TEST_DEVICES");
  if (!devices.empty() && devices != "cpu" && devices != "gpu" && devices != "cpu,gpu") {
    throw std::runtime_error("BASESWEEP_TEST_DEVICES=" + devices + ": expected cpu, gpu or cpu,gpu");
  }
  std::vector<TestedDevice> all;
  if (devices != "gpu") {
    for (const Isa isa : available_isas()) all.push_back({Device::cpu, isa, fmt::format("cpu {}", to_string(isa))});
  }
  if (devices == "cpu") return all;
  const auto reason = cuda::unusable_reason(0);
  if (reason && !devices.empty()) throw std::runtime_error("BASESWEEP_TEST_DEVICES=" + devices + ": " + *reason);
  if (!reason) all.push_back({Device::gpu, best_isa(), "gpu"});
  return all;
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
