// The rooms of weight matrices, and the choice among them.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <utility>

#include "kernels/cuda/cuda.hpp"
#include "kernels/matrices/stretch.hpp"
#include "kernels/registry/composite_matcher.hpp"
#include "kernels/registry/matrix_rooms.hpp"
#include "kernels/registry/on_devices.hpp"
#include "kernels/registry/tuned.hpp"

namespace basesweep {

namespace lookup {
extern const MatrixRoom kRoom;
}  // namespace lookup
namespace filter {
extern const MatrixRoom kRoom;
}  // namespace filter

namespace {

constexpr std::array kMatrixRooms{&lookup::kRoom, &filter::kRoom};

// Expected seconds for a position of random text. A query costs `query`, and `step` for each eight positions of its
// matrix; a query of `filter` costs nothing but its candidates.
struct Costs {
  double query;
  double step;
  double filter;  // for the look at a q-gram
  double candidate;
};
// Seconds to put one candidate into the table of `filter`, on one thread of a Zen 3, 2026-11-28.
constexpr double kBuiltCandidate = 8e-8;

// One thread of a Zen 5 with AVX-512, 2026-11-23, while other programs had the other thread of its core. 904 matrices
// of JASPAR 2026 with a threshold that words reach, both strands:
//
//     p-value   lookup   filter for the sharp ones, lookup for the others
//     1e-4      99 ns    34 ns
//     1e-5      61 ns    15 ns
//     1e-6      43 ns    8.6 ns
//
// The times with filter change by less than 3 % if its candidates are taken to cost from half to twice as much.
constexpr Costs kCpuCosts{.query = 5.5e-11, .step = 0, .filter = 4e-9, .candidate = 1.6e-8};
// An H200, 2026-11-23, fitted to the rows of kernels/matrices/lookup/README.md and kernels/matrices/filter/README.md.
// With few matrices, whose tables stay in the L1 cache, a candidate costs a third of this.
constexpr Costs kGpuCosts{.query = 0, .step = 9e-14, .filter = 5e-12, .candidate = 7e-11};

// Calls assign_matrices() only if the result is used, else returns {}: the choice takes a while for a collection.
MatrixAssignment assign_if_asked(const MatrixSet& matrices, Device device, const MatrixMatcherOptions& options) {
  if (options.algorithm != MatrixAlgorithm::automatic && options.device != Device::automatic) return {};
  return assign_matrices(matrices, device, options.expected_bases);
}

// `gpu`: nothing for the CPU. Logs the choice if the algorithm is left open.
std::unique_ptr<Matcher> make_at(std::optional<int> gpu, const MatrixAssignment& automatic, const MatrixSet& matrices,
                                 const MatrixMatcherOptions& options, const Tuning& tuning) {
  const bool named = options.algorithm != MatrixAlgorithm::automatic;
  const std::vector<MatrixShare> shares =
      named ? std::vector<MatrixShare>{{&room_of(options.algorithm), reachable_queries(matrices), ""}}
            : automatic.shares;
  std::unique_ptr<Matcher> all;
  for (const MatrixShare& share : shares) {
    if (!named) {
      options.log(fmt::format("algorithm: {} for {} matrices and strands ({})", share.room->name, share.queries.size(),
                              share.reason));
    }
    const MatrixRoomOptions given{.matrices = matrices,
                                  .queries = share.queries,
                                  .common = {.patterns = matrices.patterns(),
                                             .queries = {},
                                             .output = options.output,
                                             .isa = options.isa,
                                             .gpu = gpu.value_or(0),
                                             .tuning = tuning,
                                             .name = share.room->name}};
    auto next = gpu ? cuda::make_matcher(*share.room, given) : share.room->make_cpu_matcher(given);
    all = all == nullptr ? std::move(next) : compose(std::move(all), std::move(next));
  }
  return all;
}

}  // namespace

const MatrixRoom& room_of(MatrixAlgorithm algorithm) {
  return **std::find_if(kMatrixRooms.begin(), kMatrixRooms.end(),
                        [=](const MatrixRoom* room) { return room->algorithm == algorithm; });
}

std::vector<std::uint32_t> reachable_queries(const MatrixSet& matrices) {
  std::vector<std::uint32_t> queries;
  for (std::uint32_t query = 0; query < matrices.patterns().queries().size(); ++query) {
    if (matrices.of_query(query).reachable()) queries.push_back(query);
  }
  return queries;
}

// Gives sharp queries to `filter` if that saves more than its look at each position and the building of its table cost.
MatrixAssignment assign_matrices(const MatrixSet& matrices, Device device, std::optional<std::int64_t> expected_bases) {
  constexpr std::uint32_t kGram = 10;
  constexpr double kGrams = 1 << 2 * kGram;
  const Costs& costs = device == Device::gpu ? kGpuCosts : kCpuCosts;
  std::vector<std::uint32_t> queries = reachable_queries(matrices);
  MatrixShare vague{&lookup::kRoom, {}, "a table of their 10-mers would not pay"};
  MatrixShare sharp{&filter::kRoom, {}, "few 10-mers can lead to a hit"};
  double all = 0;
  double gain = -costs.filter;
  const double built =
      expected_bases ? kBuiltCandidate * kGrams / std::max<double>(1, static_cast<double>(*expected_bases)) : 0;
  for (const std::uint32_t query : queries) {
    const QueryScores& scores = matrices.scores(query);
    const double share = share_within(scores, sharpest_stretch(scores, kGram), allowance_of(matrices.of_query(query)));
    const double cost = costs.query + std::ceil(static_cast<double>(scores.size()) / 8) * costs.step;
    const double saved = cost - share * (costs.candidate + built);
    (saved > 0 ? sharp : vague).queries.push_back(query);
    gain += std::max(saved, 0.0);
    all += cost;
  }
  if (gain <= 0) return {{{&lookup::kRoom, std::move(queries), "a table of 10-mers would not pay"}}, all};
  if (vague.queries.empty()) return {{std::move(sharp)}, all - gain};
  return {{std::move(vague), std::move(sharp)}, all - gain};
}

const char* to_string(MatrixAlgorithm algorithm) {
  return algorithm == MatrixAlgorithm::automatic ? "auto" : room_of(algorithm).name;
}

const std::vector<MatrixAlgorithm>& matrix_algorithms() {
  static const std::vector<MatrixAlgorithm> all = [] {
    std::vector<MatrixAlgorithm> algorithms;
    for (const MatrixRoom* room : kMatrixRooms) algorithms.push_back(room->algorithm);
    return algorithms;
  }();
  return all;
}

std::unique_ptr<Matcher> make_matrix_matcher(const MatrixSet& matrices, const MatrixMatcherOptions& options) {
  return make_matrix_matcher(matrices, options, Tuning{});
}

std::unique_ptr<Matcher> make_matrix_matcher(const MatrixSet& matrices, const MatrixMatcherOptions& options,
                                             const Tuning& tuning) {
  MatrixAssignment on_cpu;
  if (options.device != Device::gpu) on_cpu = assign_if_asked(matrices, Device::cpu, options);
  DeviceSearch search;
  search.cpu_seconds_per_base = on_cpu.seconds_per_base;
  if (options.algorithm != MatrixAlgorithm::automatic) search.note = " as auto would match";
  search.make_cpu = [on_cpu = std::move(on_cpu), &matrices, options, tuning] {
    return make_at(std::nullopt, on_cpu, matrices, options, tuning);
  };
  search.make_gpu = [&matrices, options, tuning](int gpu, const auto& log) -> GpuMatcher {
    MatrixMatcherOptions on_gpu = options;
    on_gpu.log = log;
    const MatrixAssignment assignment = assign_if_asked(matrices, Device::gpu, options);
    return {make_at(gpu, assignment, matrices, on_gpu, tuning), assignment.seconds_per_base};
  };
  return make_on_devices(std::move(search), options);
}

}  // namespace basesweep
