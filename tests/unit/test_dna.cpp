// Base codes and IUPAC sets, compared with tables of letters.
#include <cctype>
#include <string>
#include <string_view>

#include "lib/base/dna.hpp"
#include "lib/oracle/naive.hpp"
#include "tests/support/catch.hpp"

namespace basesweep::test_dna {

namespace {

const std::string kIupac = "ACGTURYSWKMBDHVN";

// Returns the set of these bases, with the bits that dna.hpp defines.
BaseSet set_of(std::string_view letters) {
  unsigned set = 0;
  for (const char c : letters) set |= c == 'A' ? 1U : c == 'C' ? 2U : c == 'G' ? 8U : 4U;
  return static_cast<BaseSet>(set);
}

}  // namespace

TEST_CASE("base codes") {
  CHECK(base_code('A') == 0);
  CHECK(base_code('c') == 1);
  CHECK(base_code('T') == 2);
  CHECK(base_code('u') == 2);
  CHECK(base_code('g') == 3);
  for (unsigned code = 0; code < 4; ++code) {
    CHECK(base_code(base_letter(code)) == code);
    CHECK(std::string(1, base_letter(complement(code))) == oracle::reverse_complement({base_letter(code)}));
    CHECK(is_single_base(static_cast<BaseSet>(1U << code)));
    CHECK(single_base(static_cast<BaseSet>(1U << code)) == code);
  }
}

TEST_CASE("IUPAC sets of all characters") {
  for (int i = 0; i < 256; ++i) {
    const char c = static_cast<char>(i);
    const char upper = static_cast<char>(std::toupper(i));
    const bool letter = std::isalpha(i) != 0 && kIupac.find(upper) != std::string::npos;
    INFO(i);
    CHECK(iupac_set(c) == (letter ? set_of(oracle::members(upper)) : 0));
  }
}

TEST_CASE("complement of sets") {
  for (const char c : kIupac) {
    const char other = oracle::reverse_complement({c})[0];
    CHECK(complement_set(iupac_set(c)) == iupac_set(other));
  }
}

}  // namespace basesweep::test_dna
