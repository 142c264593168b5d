// The rooms of weight matrices, and the choice among them.
#include <algorithm>
#include <array>

#include "kernels/matrices/room.hpp"

namespace basesweep {

namespace lookup {
extern const MatrixRoom kRoom;
}  // namespace lookup

namespace {

constexpr std::array kRooms{&lookup::kRoom};

const MatrixRoom& room_of(MatrixAlgorithm algorithm) {
  const auto found =
      std::find_if(kRooms.begin(), kRooms.end(), [=](const MatrixRoom* room) { return room->algorithm == algorithm; });
  return found != kRooms.end() ? **found : lookup::kRoom;
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
  const MatrixRoom& room = room_of(options.algorithm);
  std::vector<std::uint32_t> queries;
  for (std::uint32_t query = 0; query < matrices.patterns().queries().size(); ++query) {
    if (matrices.of_query(query).reachable()) queries.push_back(query);
  }
  return room.make_cpu_matcher({.matrices = matrices,
                                .queries = queries,
                                .common = {.patterns = matrices.patterns(),
                                           .queries = {},
                                           .output = options.output,
                                           .isa = options.isa,
                                           .name = room.name}});
}

}  // namespace basesweep
