// The array of rooms.
#include "kernels/registry/rooms.hpp"

#include <set>
#include <string>

#include "tests/support/catch.hpp"

namespace basesweep::test_rooms {

TEST_CASE("the array of rooms is in the order of Algorithm, and every algorithm is in one list", "[rooms]") {
  std::set<std::string> names;
  int number = static_cast<int>(Algorithm::automatic);
  for (const Room* room : rooms()) {
    CHECK(static_cast<int>(room->algorithm) == ++number);
    CHECK(&room_of(room->algorithm) == room);
    CHECK(std::string(to_string(room->algorithm)) == room->name);
    CHECK(names.insert(room->name).second);
    CHECK(room->decline != nullptr);
    CHECK(room->make_cpu_matcher != nullptr);
  }
  CHECK(number == static_cast<int>(Algorithm::neighbors));  // the last one
  CHECK(exact_algorithms().size() + approximate_algorithms().size() == rooms().size());
  CHECK(std::string(to_string(Algorithm::automatic)) == "auto");
}

TEST_CASE("a room has all its kernels or none, as the program is built", "[rooms]") {
  const bool with_cuda = rooms().front()->make_cuda_kernel != nullptr;
  for (const Room* room : rooms()) {
    INFO(room->name);
    CHECK((room->make_cuda_kernel != nullptr) == with_cuda);
    CHECK((room->verify_windows != nullptr) == (with_cuda && room->window_scan != nullptr));
  }
  CHECK(read_algorithms() == std::vector{Algorithm::hmm, Algorithm::myers, Algorithm::bitsliced});
}

}  // namespace basesweep::test_rooms
