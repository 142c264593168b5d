// The rules of sequence text. The packer and the parser of reads are held against them in their own tests.
#include <cctype>

#include "lib/base/sequence_text.hpp"
#include "lib/base/stream_names.hpp"
#include "tests/support/catch.hpp"

namespace basesweep::test_sequence_text {

TEST_CASE("sequence text: letters, '-', '*' and '.', and nothing else") {
  for (int i = 0; i < 256; ++i) {
    const char byte = static_cast<char>(i);
    INFO("byte " << i);
    CHECK(is_sequence_byte(byte) == (std::isalpha(i) != 0 || byte == '-' || byte == '*' || byte == '.'));
    CHECK(is_line_end(byte) == (i == 10 || i == 13));
  }
  CHECK(not_sequence('1') == "'1' is not sequence (expected letters, '-', '*' or '.')");
  CHECK(not_sequence('\0') == "byte 0x00 is not sequence (expected letters, '-', '*' or '.')");
}

TEST_CASE("sequence text: the first word of a title") {
  CHECK(first_word("chr1 of a genome") == "chr1");
  CHECK(first_word("chr1\tof a genome") == "chr1");
  CHECK(first_word("chr1\r") == "chr1");
  CHECK(first_word("chr1\nACGT") == "chr1");
  CHECK(first_word("chr1") == "chr1");
  CHECK(first_word("chr1\v\f|x:1-2") == "chr1\v\f|x:1-2");
  CHECK(first_word(" chr1").empty());
  CHECK(first_word("").empty());
}

TEST_CASE("sequence text: a warning when under half of the letters are nucleotides") {
  CHECK(!warning_of({0, 0}, "x"));
  CHECK(!warning_of({10, 5}, "x"));
  CHECK(!warning_of({10, 10}, "x"));
  CHECK(warning_of({10, 0}, "x"));
  const auto warning = warning_of({1000, 499}, "a.fa");
  REQUIRE(warning);
  CHECK(warning->starts_with("a.fa: only 49 % of the letters"));
}

TEST_CASE("stream names: only '-' has another name") {
  CHECK(input_name("-") == "<stdin>");
  CHECK(input_name("./-") == "./-");
  CHECK(input_names({"a.fa", "-"}) == std::vector<std::string>{"a.fa", "<stdin>"});
  CHECK(output_name("-") == "<stdout>");
  CHECK(output_name("out.bed") == "out.bed");
}

}  // namespace basesweep::test_sequence_text
