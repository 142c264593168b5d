#include <array>
#include <string_view>

#include "lib/base/fields.hpp"
#include "tests/support/catch.hpp"

namespace basesweep::test_fields {

TEST_CASE("fields: the whole text is the number") {
  int number = 7;
  CHECK(parse_number("-12", number));
  CHECK(number == -12);
  CHECK_FALSE(parse_number("12x", number));
  CHECK_FALSE(parse_number(" 12", number));
  CHECK_FALSE(parse_number("", number));
  CHECK_FALSE(parse_number("99999999999", number));
  double rate = 0;
  CHECK(parse_number("0.25", rate));
  CHECK(rate == 0.25);
}

TEST_CASE("fields: places are not negative and have a limit") {
  std::int64_t place = 0;
  CHECK(parse_place("140737488355328", place));
  CHECK(place == kMaxBases);
  CHECK_FALSE(parse_place("140737488355329", place));
  CHECK_FALSE(parse_place("-1", place));
}

TEST_CASE("fields: a line is split at tabs") {
  std::array<std::string_view, 3> fields;
  CHECK(split_at_tabs("a\t\tc\n", fields) == 3);
  CHECK(fields == std::array<std::string_view, 3>{"a", "", "c"});
  CHECK(split_at_tabs("a\tb\tc\td", fields) == 3);
  CHECK(fields[2] == "c");
  CHECK(split_at_tabs("a", fields) == 1);
  CHECK(split_at_tabs("", fields) == 1);
  CHECK(fields[0].empty());
}

TEST_CASE("fields: up to a mark") {
  std::string_view text = "3/17";
  CHECK(take_to(text, '/') == "3");
  CHECK(text == "17");
  CHECK(take_to(text, '/') == "17");
  CHECK(text.empty());
}

}  // namespace basesweep::test_fields
