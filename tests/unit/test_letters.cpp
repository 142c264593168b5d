// Letters and numbers of output lines.
#include "lib/rows/letters.hpp"

#include <limits>
#include <string>

#include "lib/oracle/trial/generate.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/environment.hpp"

namespace basesweep::test_letters {

namespace {

// Returns the text that put() writes, and checks that it stays within the room that it asks for.
std::string printed(std::int64_t number) {
  constexpr char kMark = '#';
  std::string room(kNumberDigits + 1, kMark);
  char* const end = put(room.data(), number);
  CHECK(room.back() == kMark);
  return {room.data(), end};
}

}  // namespace

TEST_CASE("numbers") {
  std::uint64_t power = 1;
  for (int digits = 1; digits <= 19; ++digits, power *= 10) {
    for (const std::uint64_t number : {power - 1, power, power + 1, 9 * power / 10 * 10, power / 7 * 3}) {
      const auto value = static_cast<std::int64_t>(number);
      CHECK(printed(value) == std::to_string(value));
      CHECK(printed(-value) == std::to_string(-value));
    }
  }
  for (const std::int64_t limit :
       {std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::int64_t>::max()}) {
    CHECK(printed(limit) == std::to_string(limit));
  }
  for (std::int64_t number = 0; number <= 100'000; ++number) {
    if (printed(number) != std::to_string(number)) FAIL(number);
  }
}

TEST_CASE("random numbers") {
  trial::Random random(support::test_seed());
  for (std::uint64_t i = 0; i < support::test_cases(100'000); ++i) {
    const auto number = static_cast<std::int64_t>(random.bits() >> random.below(64));
    if (printed(number) != std::to_string(number)) FAIL(number);
  }
}

TEST_CASE("texts of all lengths, within their room") {
  trial::Random random(7);
  for (std::size_t size = 0; size <= 70; ++size) {
    const std::string text = trial::random_letters(random, size, "ACGTNRY*");
    std::string copy(size + 1, '#');
    CHECK(put(copy.data(), text) == copy.data() + size);
    CHECK(copy == text + "#");

    std::string turned(size, '#');
    put_matched(turned.data(), text, Strand::minus);
    std::string expected;
    for (std::size_t i = size; i-- != 0;) expected += complement_letter(text[i]);
    CHECK(turned == expected);
  }
}

}  // namespace basesweep::test_letters
