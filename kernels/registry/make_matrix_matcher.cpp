// The rooms of weight matrices, and the choice among them.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "kernels/matrices/room.hpp"
#include "kernels/matrices/stretch.hpp"
#include "kernels/registry/composite_matcher.hpp"

namespace basesweep {

namespace lookup {
extern const MatrixRoom kRoom;
}  // namespace lookup
namespace filter {
extern const MatrixRoom kRoom;
}  // namespace filter

namespace {

constexpr std::array kRooms{&lookup::kRoom, &filter::kRoom};

const MatrixRoom& room_of(MatrixAlgorithm algorithm) {
  return **std::find_if(kRooms.begin(), kRooms.end(),
                        [=](const MatrixRoom* room) { return room->algorithm == algorithm; });
}

// Seconds for a position of random text on one thread of a Zen 5 with AVX-512, 2026-11-23, while other programs had
// the other thread of its core. 904 matrices of JASPAR 2026 with a threshold that words reach, both strands:
//
//     p-value   lookup   filter for the sharp ones, lookup for the others
//     1e-4      99 ns    34 ns
//     1e-5      61 ns    15 ns
//     1e-6      43 ns    8.6 ns
//
// The times with filter change by less than 3 % if its candidates are taken to cost from half to twice as much.
constexpr double kLookupQuery = 5.5e-11;
constexpr double kFilter = 4e-9;
constexpr double kFilterCandidate = 1.6e-8;

struct MatrixShare {
  const MatrixRoom& room;
  std::vector<std::uint32_t> queries;
  const char* reason;
};

// Gives sharp queries to `filter` if they are enough to pay for its look at each position.
std::vector<MatrixShare> assign(const MatrixSet& matrices, const std::vector<std::uint32_t>& queries) {
  MatrixShare vague{lookup::kRoom, {}, "10-mers are not selective enough"};
  MatrixShare sharp{filter::kRoom, {}, "few 10-mers can lead to a hit"};
  double gain = -kFilter;
  for (const std::uint32_t query : queries) {
    constexpr std::uint32_t kGram = 10;
    const QueryScores& scores = matrices.scores(query);
    const double share = share_within(scores, sharpest_stretch(scores, kGram), allowance_of(matrices.of_query(query)));
    const double saved = kLookupQuery - share * kFilterCandidate;
    (saved > 0 ? sharp : vague).queries.push_back(query);
    gain += std::max(saved, 0.0);
  }
  if (gain <= 0) return {{lookup::kRoom, queries, "too few for a table of 10-mers"}};
  if (vague.queries.empty()) return {std::move(sharp)};
  return {std::move(vague), std::move(sharp)};
}

}  // namespace

const char* to_string(MatrixAlgorithm algorithm) {
  return algorithm == MatrixAlgorithm::automatic ? "auto" : room_of(algorithm).name;
}

const std::vector<MatrixAlgorithm>& matrix_algorithms() {
  static const std::vector<MatrixAlgorithm> all = [] {
    std::vector<MatrixAlgorithm> algorithms;
    for (const MatrixRoom* room : kRooms) algorithms.push_back(room->algorithm);
    return algorithms;
  }();
  return all;
}

std::unique_ptr<Matcher> make_matrix_matcher(const MatrixSet& matrices, const MatrixMatcherOptions& options) {
  return make_matrix_matcher(matrices, options, Tuning{});
}

std::unique_ptr<Matcher> make_matrix_matcher(const MatrixSet& matrices, const MatrixMatcherOptions& options,
                                             const Tuning& tuning) {
  std::vector<std::uint32_t> queries;
  for (std::uint32_t query = 0; query < matrices.patterns().queries().size(); ++query) {
    if (matrices.of_query(query).reachable()) queries.push_back(query);
  }
  const std::vector<MatrixShare> shares = options.algorithm == MatrixAlgorithm::automatic
                                              ? assign(matrices, queries)
                                              : std::vector<MatrixShare>{{room_of(options.algorithm), queries, ""}};
  std::unique_ptr<Matcher> all;
  for (const MatrixShare& share : shares) {
    if (options.algorithm == MatrixAlgorithm::automatic) {
      options.log(fmt::format("algorithm: {} for {} matrices and strands ({})", share.room.name, share.queries.size(),
                              share.reason));
    }
    auto next = share.room.make_cpu_matcher({.matrices = matrices,
                                             .queries = share.queries,
                                             .common = {.patterns = matrices.patterns(),
                                                        .queries = {},
                                                        .output = options.output,
                                                        .isa = options.isa,
                                                        .tuning = tuning,
                                                        .name = share.room.name}});
    all = all == nullptr ? std::move(next) : compose(std::move(all), std::move(next));
  }
  return all;
}

}  // namespace basesweep
