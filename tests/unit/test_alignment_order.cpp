// AlignmentOrder sorts by place, and by the order of adding where places are equal, also through temporary files.
#include <algorithm>
#include <string>
#include <tuple>
#include <vector>

#include "lib/oracle/trial/generate.hpp"
#include "lib/writer/alignment_order.hpp"
#include "tests/support/catch.hpp"

namespace basesweep::test_alignment_order {

TEST_CASE("alignments come in the order of their places", "[alignment_order]") {
  trial::Random random(5);
  for (const std::size_t memory : {std::size_t{1}, std::size_t{300}, std::size_t{1} << 20}) {
    std::string written;
    std::vector<std::tuple<AlignmentPlace, int, std::string>> expected;
    AlignmentOrder order(
        "/tmp", [&written](std::string_view text) { written += text; }, memory);
    AlignmentPlace left;
    for (int i = 0; i < 600; i += 2) {
      if (random.chance(3)) {
        left = {left.record + 1, 0};
      } else {
        left.start += static_cast<std::int64_t>(random.below(4));
      }
      const AlignmentPlace right{left.record, left.start + static_cast<std::int64_t>(random.below(200))};
      for (const auto& [place, number] : {std::pair(left, i), std::pair(right, i + 1)}) {
        const std::string bytes = std::to_string(number) + std::string(random.below(40), 'x') + "\n";
        number % 2 == 0 ? order.add_left(place, bytes) : order.add_right(place, bytes);
        expected.emplace_back(place, number, bytes);
      }
    }
    order.finish();
    std::sort(expected.begin(), expected.end());
    std::string sorted;
    for (const auto& [place, number, bytes] : expected) sorted += bytes;
    CHECK(written == sorted);
  }
}

}  // namespace basesweep::test_alignment_order
