// The rooms of weight matrices, and the choice among them.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "kernels/matrices/room.hpp"
#include "lib/search/device.hpp"

namespace basesweep {

// The room of an algorithm, which is not `automatic`.
const MatrixRoom& room_of(MatrixAlgorithm algorithm);

// The queries of one room.
struct MatrixShare {
  const MatrixRoom* room;
  std::vector<std::uint32_t> queries;  // indices into MatrixSet::patterns().queries()
  const char* reason;                  // why this room, for the user
};

struct MatrixAssignment {
  std::vector<MatrixShare> shares;  // every query whose threshold is reachable is in one of them
  double seconds_per_base = 0;      // expected for random text, on one CPU thread or on a GPU
};

// Assigns all queries by the measured costs of the rooms on a device. `expected_bases`: of the text, if known; tables
// that it does not pay for are not built.
MatrixAssignment assign_matrices(const MatrixSet& matrices, Device device, std::optional<std::int64_t> expected_bases);

std::vector<std::uint32_t> reachable_queries(const MatrixSet& matrices);

}  // namespace basesweep
