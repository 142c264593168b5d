// Scores, p-values and thresholds of weight matrices against sums over all words.
#include <algorithm>
#include <cmath>
#include <map>
#include <random>

#include "lib/base/dna.hpp"
#include "lib/base/error.hpp"
#include "lib/matrices/matrix_set.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/environment.hpp"

namespace basesweep::test_matrix_set {

namespace {

FileMatrix random_matrix(std::mt19937_64& random, std::size_t width) {
  FileMatrix matrix;
  matrix.id = std::to_string(random());
  matrix.file = "random";
  for (std::size_t i = 0; i < width; ++i) {
    PerBase column{};
    for (double& count : column) count = random() % 3 == 0 ? 0 : static_cast<double>(random() % 50);
    column[random() % 4] += 1;
    matrix.columns.push_back(column);
  }
  return matrix;
}

PerBase random_rates(std::mt19937_64& random) {
  PerBase rates;
  for (double& rate : rates) rate = 1 + static_cast<double>(random() % 10);
  return rates;
}

// The probability of each score, over all words.
std::map<std::int64_t, double> by_words(const ScoreMatrix& matrix) {
  std::map<std::int64_t, double> shares;
  const std::uint32_t width = matrix.width();
  for (std::uint64_t word = 0; word < std::uint64_t{1} << (2 * width); ++word) {
    std::int64_t score = 0;
    double share = 1;
    for (std::uint32_t i = 0; i < width; ++i) {
      const auto code = static_cast<unsigned>(word >> (2 * i) & 3);
      score += matrix.scores[i][code];
      share *= matrix.background[code];
    }
    shares[score] += share;
  }
  return shares;
}

}  // namespace

TEST_CASE("scores follow their definition") {
  FileMatrix matrix;
  matrix.id = "one";
  matrix.columns = {{8, 0, 0, 0}, {1, 2, 3, 4}};  // A, C, T, G
  const ScoreMatrix scored = score(matrix, {});
  CHECK(scored.scores[0][0] == std::lround(1024 * std::log2((8 + 0.025) / 8.1 / 0.25)));
  CHECK(scored.scores[0][1] == std::lround(1024 * std::log2(0.025 / 8.1 / 0.25)));
  CHECK(scored.scores[1][2] == std::lround(1024 * std::log2((3 + 0.025) / 10.1 / 0.25)));
  CHECK(scored.max_score == scored.scores[0][0] + scored.scores[1][3]);
  CHECK(scored.min_score == scored.scores[0][1] + scored.scores[1][0]);

  matrix.columns = {{0.5, 0.25, 0.25, 0}};
  matrix.probabilities = true;
  const Scoring scoring{1, PerBase{0.3, 0.1, 0.1, 0.5}};  // A and T: 0.2, C and G: 0.3
  const ScoreMatrix other = score(matrix, scoring);
  CHECK(std::abs(other.background[0] - 0.2) < 1e-12);
  CHECK(other.background[0] == other.background[2]);
  CHECK(other.background[1] == other.background[3]);
  CHECK(other.scores[0][0] == std::lround(1024 * std::log2((10 + 0.2) / 21 / 0.2)));
  CHECK(other.scores[0][3] == std::lround(1024 * std::log2(0.3 / 21 / 0.3)));

  CHECK_THROWS_AS(score(matrix, {0, std::nullopt}), DataError);
  CHECK_THROWS_AS(score(matrix, {1, PerBase{0.5, 0, 0.5, 0}}), DataError);
  const ScoreMatrix homer = homer_score(matrix);
  CHECK(homer.scores[0][0] == 1024);
  CHECK(homer.scores[0][3] == std::lround(1024 * std::log2(0.001 / 0.25)));
  matrix.columns = {{0.4996, 0.25, 0.25, 0.0004}};
  CHECK(homer_score(matrix).scores[0][3] == homer.scores[0][3]);
  matrix.columns = {{40, 20, 20, 0}};
  matrix.probabilities = false;
  CHECK(homer_score(matrix).scores == homer.scores);
}

TEST_CASE("p-values are those of all words") {
  std::mt19937_64 random(support::test_seed());
  const std::uint64_t cases = support::test_cases(100);
  for (std::uint64_t i = 0; i < cases; ++i) {
    const std::size_t width = 1 + i % 10;
    const ScoreMatrix matrix = score(random_matrix(random, width), {0.1, random_rates(random)});
    const std::map<std::int64_t, double> shares = by_words(matrix);
    CAPTURE(width);
    CHECK(shares.begin()->first == matrix.min_score);
    CHECK(shares.rbegin()->first == matrix.max_score);
    const ScoreTail tail(matrix, matrix.max_score - matrix.min_score);
    double sum = 0;
    bool sound = true;  // a check of each deficit would take longer than all words
    std::int64_t deficit = 0;
    for (auto at = shares.rbegin(); at != shares.rend(); ++at) {
      for (; deficit < matrix.max_score - at->first; ++deficit) {
        sound = sound && !tail.has_word(deficit) && std::abs(tail.at(deficit) - sum) < 1e-11;
      }
      sum += at->second;
      sound = sound && tail.has_word(deficit) && std::abs(tail.at(deficit) - sum) < 1e-11;
      ++deficit;
    }
    CHECK(sound);
    for (const double p : {1.0, 0.5, 1e-2, 1e-4, 1e-6, 0.0}) {
      const ScoreTail within = tail_within(matrix, p);
      double total = 0;
      std::int64_t least = matrix.max_score + std::int64_t{1};
      for (auto at = shares.rbegin(); at != shares.rend(); ++at) {
        total += at->second;
        if (std::abs(total - p) < 1e-9 && p < 1) {
          least = matrix.max_score - within.max_deficit();  // too close for sums in another order
          break;
        }
        if (total > p && p < 1) break;
        least = at->first;
      }
      CHECK(matrix.max_score - within.max_deficit() == least);
      // Shorter programmes give the same bits.
      bool same = true;
      for (std::int64_t d = 0; d <= within.max_deficit(); ++d) same = same && within.at(d) == tail.at(d);
      CHECK(same);
    }
  }
}

TEST_CASE("both strands have the same scores and p-values") {
  std::mt19937_64 random(support::test_seed());
  for (std::size_t width = 1; width <= 64; ++width) {
    const std::vector<FileMatrix> files = {random_matrix(random, width)};
    const MatrixSet set(files, {{0.1, random_rates(random)}, std::nullopt, StrandChoice::both, 1});
    REQUIRE(set.patterns().queries().size() == 2);
    std::string word(width, 'A');
    std::string turned(width, 'T');
    for (std::size_t i = 0; i < width; ++i) {
      const auto code = static_cast<unsigned>(random() % 4);
      word[i] = base_letter(code);
      turned[width - 1 - i] = base_letter(complement(code));
    }
    CHECK(set.score_of(0, word) == set.score_of(1, turned));
    CHECK(set.score_of(1, word) == set.score_of(0, turned));
  }
}

TEST_CASE("thresholds follow their definitions") {
  FileMatrix matrix;
  matrix.id = "one";
  matrix.file = "file";
  matrix.columns = {{10, 0, 0, 0}, {0, 10, 0, 0}, {4, 0, 6, 0}};
  const ScoreMatrix scored = score(matrix, {});
  const auto of = [&](Threshold threshold) { return with_threshold(matrix, {}, threshold); };
  CHECK(of({Threshold::Kind::score, 2.5}).threshold == 2560);
  CHECK(of({Threshold::Kind::score, 2.5001}).threshold == 2561);
  CHECK(of({Threshold::Kind::score, -1e9}).threshold == scored.min_score);
  CHECK_FALSE(of({Threshold::Kind::score, 1e9}).reachable());
  CHECK(of({Threshold::Kind::score, 1e9}).share() == 0);
  CHECK(of({Threshold::Kind::relative, 1}).threshold == scored.max_score);
  CHECK(of({Threshold::Kind::relative, 0}).threshold == scored.min_score);
  CHECK(of({Threshold::Kind::p_value, 1}).threshold == scored.min_score);
  CHECK(of({Threshold::Kind::p_value, 1}).share() == 1);
  CHECK_FALSE(of({Threshold::Kind::p_value, 1e-4}).reachable());
  CHECK_FALSE(with_threshold(matrix, {}, std::nullopt).reachable());
  CHECK(of({Threshold::Kind::p_value, 1.0 / 64}).threshold == scored.max_score);

  matrix.probabilities = true;
  matrix.columns = {{0.5, 0.5, 0, 0}, {0.25, 0.25, 0.25, 0.25}};
  matrix.threshold = std::log(2.0);  // one bit
  const SearchedMatrix homer = with_threshold(matrix, {}, std::nullopt);
  CHECK(homer.threshold == 1024);
  CHECK(homer.share() == 0.5);
  CHECK(homer.p_value(1024) == 0.5);
  CHECK(of({Threshold::Kind::p_value, 1}).matrix.scores[0][2] > homer.matrix.scores[0][2]);

  CHECK_THROWS_AS(MatrixSet({matrix, matrix}, {}), DataError);
}

}  // namespace basesweep::test_matrix_set
