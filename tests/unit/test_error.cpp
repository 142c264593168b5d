#include "lib/base/error.hpp"

#include <cerrno>
#include <string_view>

#include "tests/support/catch.hpp"

namespace basesweep::test_error {

TEST_CASE("errors: control characters in messages are escaped, line ends of our own stay", "[error]") {
  CHECK(printable(std::string_view("plain, \xc3\xa9 and '\\'")) == "plain, \xc3\xa9 and '\\'");
  CHECK(printable(std::string_view("a\x1b[31mb\x7f\r\n\tc")) == "a\\x1b[31mb\\x7f\\r\\n\\tc");
  CHECK(printable(std::string_view("\0", 1)) == "\\x00");
  CHECK(printable(std::string_view("\xc2\x9b and \xc2\xa0")) ==
        "\\xc2\\x9b and \xc2\xa0");  // CSI, and a blank that is none
  CHECK(printable(std::string_view("\xd0\xd0 \xe9t\xe9 \xc3\xa9\xc3")) == "\\xd0\\xd0 \\xe9t\\xe9 \xc3\xa9\\xc3");
  CHECK(printable(std::string_view("they differ:\n  a\n  b\n")) == "they differ:\n  a\n  b\\n");
  CHECK(std::string(DataError("record 'a\x1b'").what()) == "record 'a\\x1b'");
  CHECK(std::string(IoError("no\nfile", "cannot open", ENOENT).what()) ==
        "no\\nfile: cannot open: No such file or directory");
  CHECK(printable('\x07') == "byte 0x07");
  CHECK(printable('!') == "'!'");
}

}  // namespace basesweep::test_error
