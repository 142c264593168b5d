// Which word was probably meant.
#include "lib/base/nearest.hpp"
#include "tests/support/catch.hpp"

namespace basesweep::test_nearest {

TEST_CASE("did you mean: the nearest word, or none") {
  const auto meant = [](const std::string& word, const std::vector<std::string>& known) {
    const std::string text = did_you_mean(word, known);
    const std::size_t begin = text.find('\'');
    return begin == std::string::npos ? "" : text.substr(begin + 1, text.rfind('\'') - begin - 1);
  };
  CHECK(did_you_mean("mtch", {"map", "match", "motif"}) == "; did you mean 'match'?");
  CHECK(meant("motfi", {"map", "match", "motif"}) == "motif");  // two letters swapped
  CHECK(meant("chrIV", {"I", "II", "IV", "V"}) == "IV");
  CHECK(meant("IV", {"chrI", "chrIV"}) == "chrIV");
  CHECK(meant("chr1", {"2", "Chr1", "1"}) == "Chr1");
  CHECK(meant("NC_000913", {"NC_000914.3", "NC_000913.3"}) == "NC_000913.3");
  CHECK(meant("NC_000913.2", {"NC_000913.3"}) == "NC_000913.3");
  CHECK(meant("1", {"2", "3"}).empty());
  CHECK(meant("IV", {"IX", "V"}).empty());
  CHECK(meant("plasmid", {"chromosome", "mitochondrion"}).empty());
  CHECK(meant("", {"a"}).empty());
  CHECK(meant("a", {}).empty());
  CHECK(meant(std::string(5000, 'a'), {std::string(5000, 'a')}).empty());
}

}  // namespace basesweep::test_nearest
