#include "kernels/registry/rooms.hpp"

#include <algorithm>

#include "lib/base/error.hpp"

// The namespaces of all rooms, one a line.
#define BASESWEEP_ROOMS(with)                                                                                          \
  with(planes) with(drk2s) with(ac_dfa) with(ac_nfa) with(set_horspool) with(sbom) with(wu_manber) with(sog) with(crk) \
      with(drk) with(drk_wom32) with(drk_wom64) with(hrk) with(qgrams) with(hmm) with(myers) with(bitsliced)           \
          with(pigeonhole) with(hamming) with(neighbors)

namespace basesweep {

#define BASESWEEP_DECLARE(room) \
  namespace room {              \
  extern const Room kRoom;      \
  }
BASESWEEP_ROOMS(BASESWEEP_DECLARE)
#undef BASESWEEP_DECLARE

namespace {

#define BASESWEEP_LIST(room) &room::kRoom,
constexpr const Room* kRooms[] = {BASESWEEP_ROOMS(BASESWEEP_LIST)};
#undef BASESWEEP_LIST

template <class Wanted>
std::vector<Algorithm> algorithms_of(Wanted wanted) {
  std::vector<Algorithm> algorithms;
  for (const Room* room : kRooms) {
    if (wanted(*room)) algorithms.push_back(room->algorithm);
  }
  return algorithms;
}

}  // namespace

std::span<const Room* const> rooms() { return kRooms; }

const Room& room_of(Algorithm algorithm) {
  const auto found = std::find_if(std::begin(kRooms), std::end(kRooms),
                                  [algorithm](const Room* room) { return room->algorithm == algorithm; });
  if (found == std::end(kRooms)) throw Error(kExitFailure, "room_of: an algorithm must be chosen first");
  return **found;
}

const char* to_string(Algorithm algorithm) {
  return algorithm == Algorithm::automatic ? "auto" : room_of(algorithm).name;
}

const std::vector<Algorithm>& exact_algorithms() {
  static const auto algorithms = algorithms_of([](const Room& room) { return room.finds == Finds::starts; });
  return algorithms;
}

const std::vector<Algorithm>& approximate_algorithms() {
  static const auto algorithms = algorithms_of([](const Room& room) { return room.finds == Finds::ends; });
  return algorithms;
}

const std::vector<Algorithm>& read_algorithms() {
  static const auto algorithms = algorithms_of([](const Room& room) { return room.window_scan != nullptr; });
  return algorithms;
}

}  // namespace basesweep
