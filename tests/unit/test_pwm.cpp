// The library's call for weight matrices.
#include <fmt/format.h>

#include <basesweep/pwm.hpp>
#include <functional>

#include "tests/support/catch.hpp"
#include "tests/support/files.hpp"

namespace basesweep::test_pwm {

namespace {

WeightMatrix word_matrix(const std::string& id, const std::string& word) {
  WeightMatrix matrix;
  matrix.id = id;
  for (const char letter : word) {
    matrix.columns.push_back(
        {letter == 'A' ? 10. : 0., letter == 'C' ? 10. : 0., letter == 'G' ? 10. : 0., letter == 'T' ? 10. : 0.});
  }
  return matrix;
}

std::string print(const PwmHit& hit) {
  return fmt::format("{} {}-{} {} {} {:.3f} {:.6f}\n", hit.record, hit.start, hit.end, hit.matrix, hit.strand,
                     hit.score, hit.p_value);
}

}  // namespace

TEST_CASE("the library finds sites of matrices", "[pwm]") {
  const Pwm pwm({word_matrix("x", "ACCGT"), word_matrix("long", "AAAACCCCGGGG")}, {.p_value = 0.001});
  REQUIRE(pwm.threshold(0));
  std::string lines;
  for (const PwmHit& hit : pwm.find("TTACCGTTTNACGGTnnnAAAACCCCGGGG")) lines += print(hit);
  const std::string score = fmt::format("{:.3f}", *pwm.threshold(0));
  CHECK(lines == fmt::format("0 2-7 0 + {} 0.000977\n0 10-15 0 - {} 0.000977\n0 18-30 1 + {:.3f} 0.000000\n", score,
                             score, *pwm.threshold(0) / 5 * 12));
}

TEST_CASE("sites come from records and from files alike", "[pwm]") {
  const support::ScratchFolder folder;
  support::write_file(folder.path("text.fa"), ">one\nACCGT\n>empty\n>two\nttACCGTACCGT\n");
  support::write_file(folder.path("m.jaspar"),
                      ">x y\nA [10 0 0 0 0]\nC [0 10 10 0 0]\nG [0 0 0 10 0]\nT [0 0 0 0 10]\n");
  std::vector<WeightMatrix> matrices = load_matrices(folder.path("m.jaspar"));
  REQUIRE(matrices.size() == 1);
  CHECK(matrices[0].name == "y");
  CHECK(matrices[0].columns == word_matrix("x", "ACCGT").columns);
  PwmOptions options{.p_value = 0.001, .strands = PwmOptions::Strands::plus};
  const auto found = [&](const std::function<SearchSummary(const Pwm&, const Pwm::Take&)>& search) {
    const Pwm pwm(matrices, options);
    std::string lines;
    const SearchSummary summary = search(pwm, [&](const PwmHit& hit) {
      lines += fmt::format("{} {} {} {}\n", hit.record_name, hit.record, hit.start, hit.text);
    });
    return lines + (summary.truncated ? "more" : "");
  };
  const auto in_files = [&](const Pwm& pwm, const Pwm::Take& take) {
    return pwm.search_files({folder.path("text.fa")}, take);
  };
  CHECK(found(in_files) == "one 0 0 ACCGT\ntwo 1 2 ACCGT\ntwo 1 7 ACCGT\n");
  const std::vector<NamedSequence> records{{"one", "ACCGT"}, {"empty", ""}, {"two", "ttACCGTACCGT"}};
  const auto in_memory = [&](const Pwm& pwm, const Pwm::Take& take) { return pwm.search(records, take); };
  CHECK(found(in_memory) == "one 0 0 ACCGT\ntwo 2 2 ACCGT\ntwo 2 7 ACCGT\n");
  options.max_hits = 2;
  CHECK(found(in_memory) == "one 0 0 ACCGT\ntwo 2 2 ACCGT\nmore");
}

TEST_CASE("the library refuses matrices and options that cannot be", "[pwm]") {
  const auto make = [](const WeightMatrix& matrix, const PwmOptions& options) { Pwm({matrix}, options); };
  const WeightMatrix good = word_matrix("x", "ACGT");
  CHECK_THROWS_AS(Pwm({}, {}), UsageError);
  CHECK_THROWS_AS(make({"x"}, {}), UsageError);
  CHECK_THROWS_AS(make({"x", "", {{1, 1, -1, 1}}}, {}), UsageError);
  CHECK_THROWS_AS(make({"x", "", {{0, 0, 0, 0}}}, {}), UsageError);
  CHECK_THROWS_AS(make({"x", "", {{1, 1, 1, 1}}, true}, {}), UsageError);
  CHECK_THROWS_AS(make(good, {.p_value = 0}), UsageError);
  CHECK_THROWS_AS(make(good, {.p_value = 0.1, .score = 3}), UsageError);
  CHECK_THROWS_AS(make(good, {.relative = 1.1}), UsageError);
  CHECK_THROWS_AS(make(good, {.pseudocount = -1}), UsageError);
  CHECK_THROWS_AS(make(good, {.background = {{1, 0, 0, 0}}}), UsageError);
  CHECK_THROWS_AS(make(good, {.max_hits = 0}), UsageError);
  CHECK_THROWS_AS(make(good, {.device = "tpu"}), UsageError);
  CHECK_THROWS_AS(make(good, {.device = "gpu:4000"}), DeviceError);
  CHECK_THROWS_AS(make(good, {.text_bases = -1}), UsageError);
  CHECK_THROWS_AS(make(good, {.pseudocount = 0}), DataError);
  CHECK_THROWS_AS(Pwm({good, good}), DataError);
}

}  // namespace basesweep::test_pwm
