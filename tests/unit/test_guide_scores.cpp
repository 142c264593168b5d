// Scores of guides against the examples that were published with the methods, and against plain products.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <fstream>
#include <map>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "lib/guides/scores.hpp"
#include "tests/support/catch.hpp"

namespace basesweep::test_guide_scores {

using Catch::Matchers::WithinAbs;

namespace {

// An alignment as the scores take it.
struct Aligned {
  GuideBits guide;
  GuideWindow window{};
  GuideShape shape;
};

std::string without_gaps(std::string_view row) {
  std::string letters(row);
  std::erase(letters, '-');
  return letters;
}

// The rows have a letter for each column, from 5' to 3'; '-' in bulges.
Aligned align(std::string_view guide_row, std::string_view text_row) {
  Aligned aligned;
  aligned.guide = guide_bits({"", without_gaps(guide_row)}, PamSide::three_prime);
  const std::string text = without_gaps(text_row);
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char letter = text[text.size() - 1 - i];
    const BaseSet set = iupac_set(letter);
    if (!is_single_base(set)) {
      aligned.window.other |= 1ULL << i;
      continue;
    }
    aligned.window.lo |= std::uint64_t{single_base(set) & 1U} << i;
    aligned.window.hi |= std::uint64_t{single_base(set) >> 1} << i;
  }
  aligned.window.available = static_cast<std::uint32_t>(text.size());
  for (std::size_t i = 0; i < guide_row.size(); ++i) {
    const bool dna = guide_row[i] == '-';
    if (!dna && text_row[i] != '-') continue;
    ++aligned.shape.size;
    aligned.shape.bulge = dna ? Bulge::dna : Bulge::rna;
    aligned.shape.at = static_cast<std::uint8_t>(without_gaps(guide_row.substr(i + 1)).size());
  }
  return aligned;
}

double mit(std::string_view guide, std::string_view text) {
  const Aligned aligned = align(guide, text);
  return mit_score(score_weights(), mismatches_at(aligned.guide, aligned.window, 0)) * 1e-6;
}
double cfd(std::string_view guide, std::string_view text, std::string_view pam = "TGG") {
  const Aligned aligned = align(guide, text);
  const std::uint32_t weight = score_weights().pam[base_code(pam[1])][base_code(pam[2])];
  return cfd_score(score_weights(), aligned.guide, aligned.window, aligned.shape, weight) * 1e-6;
}

constexpr double kStep = 1.5e-6;  // values are rounded to 1e-6, and those published to no less

// The weights by "what guide text position", read in another way than the product does.
std::map<std::string, double> all_weights() {
  std::map<std::string, double> weights;
  std::ifstream lines(BASESWEEP_TEST_DATA "/../lib/guides/cfd_weights.tsv");
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string what, guide, text, weight;
    words >> what >> guide >> text;
    if (what == "what" || what == "#") continue;
    for (int position = 1; words >> weight; ++position) {
      if (weight != ".") weights[what + guide + text + std::to_string(position)] = std::stod(weight);
    }
  }
  return weights;
}

}  // namespace

TEST_CASE("MIT scores are those of published examples", "[guides]") {
  const std::string g(20, 'G');
  CHECK(mit(g, g) == 1);  // CRISPOR's examples for calcHitScore
  CHECK(mit("AGGGGGGGGGGGGGGGGGGG", g) == 1);
  CHECK(std::floor(100 * mit(g, g.substr(1) + "A")) == 41);
  const std::string guide = "ATCGATGCTGATGCTAGATA";  // tests of Bioconductor's crisprScore
  CHECK(mit(guide, "TTCGATGCTGATGCTAGATA") == 1);
  CHECK_THAT(mit(guide, "TTCGATGCTGATGCTAGATG"), WithinAbs(0.104, 5e-4));
  CHECK_THAT(mit(guide, "TTCGATGCTAATCCTAGATG"), WithinAbs(0.003, 5e-4));
}

TEST_CASE("MIT scores are the published product", "[guides]") {
  constexpr std::array<double, 20> weights = {0,     0,     0.014, 0,     0,     0.395, 0.317, 0,     0.389, 0.079,
                                              0.445, 0.508, 0.613, 0.851, 0.732, 0.828, 0.615, 0.804, 0.685, 0.583};
  std::mt19937 random(24);
  for (int round = 0; round < 2000; ++round) {
    const std::string guide(20, 'C');
    std::string text = guide;
    std::vector<int> at;
    double expected = 1;
    const unsigned one_in = 1 + random() % 8;
    for (int i = 0; i < 20; ++i) {
      if (random() % one_in != 0) continue;
      text[i] = "AGTN"[random() % 4];
      at.push_back(i);
      expected *= 1 - weights[i];
    }
    if (at.size() > 1) {
      double distances = 0;
      for (std::size_t i = 1; i < at.size(); ++i) distances += at[i] - at[i - 1];
      expected /= (19 - distances / (at.size() - 1.0)) / 19 * 4 + 1;
      expected /= static_cast<double>(at.size() * at.size());
    }
    INFO(text);
    CHECK_THAT(mit(guide, text), WithinAbs(expected, 0.51e-6));
  }
}

TEST_CASE("CFD scores are those of published examples", "[guides]") {
  // Doench et al. 2016, Supplementary Table 20, as the tests of CFDscoRe have it.
  CHECK_THAT(cfd("AGGGGCCGGAGTATTGGGAG", "AGGGGCCCGAGTATTGGGAG"), WithinAbs(0.615384615, kStep));
  CHECK_THAT(cfd("TCCACAGATACCTGAAGAAC", "TCCGCAGATACCTGAAGAAC"), WithinAbs(0.625, kStep));
  CHECK_THAT(cfd("CCAGGGCGGCCGCCAGCAGC", "CCAGGGCGGCCGCCAACAGC"), WithinAbs(1, kStep));
  CHECK_THAT(cfd("ATGTCTCTCCGAGATTGTAA", "CTGTCTCTCCCAGATTGTAA"), WithinAbs(0.367346939, kStep));
  CHECK_THAT(cfd("CATGCCGTGTGTACCATGAG", "CATGCCATGTGTACCATCAG"), WithinAbs(0.476190476, kStep));
  CHECK_THAT(cfd("CTACCTGGAGGGCGAGTGCG", "CTACCTGGAGGGCACGTGCG"), WithinAbs(0.204545455, kStep));
  CHECK_THAT(cfd("CGACGCAAGTGGGAGCAGAG", "AAACACAAGTGGGAGCAGGC"), WithinAbs(0.117857143, kStep));
  CHECK_THAT(cfd("GGCCATCATTGGAGCTGTGG", "AATAGTCACTGGAGCTGTGG"), WithinAbs(0.293022734, kStep));
  CHECK_THAT(cfd("CATTACAAGGCCTACCTGGA", "AGACTCAGGGCCTACCTGGA"), WithinAbs(0.09859944, kStep));
  // CRISPOR's examples for calcCfdScore.
  const std::string g(20, 'G');
  CHECK_THAT(cfd(g, g.substr(3) + "AAA", "GGG"), WithinAbs(0.4635989, kStep));
  CHECK(cfd(g, g, "GGG") == 1);
  CHECK_THAT(cfd(g, "AAAAGAGAGGGGGGGGGGGG", "GGG"), WithinAbs(0.5140384614, kStep));
  CHECK_THAT(cfd("ATGGTCGGACTCCCTGCCAG", "ATGGTGGGACTCCCTGCCAG", "AGG"), WithinAbs(0.5, kStep));
  CHECK_THAT(cfd("ATGGTCGGACTCCCTGCCAG", "ATGATCCAAATCCCTGCCAG", "AGG"), WithinAbs(0.5362500002, kStep));
  CHECK_THAT(cfd("ATGTGGAGATTGCCACCTAC", "ATCTGGAGATTGCCACCTAC", "AGG"), WithinAbs(0.384615385, kStep));
  // Tests of Bioconductor's crisprScore, with the PAMs of the table.
  const std::string guide = "ATCGATGCTGATGCTAGATA";
  CHECK_THAT(cfd(guide, guide, "AAG"), WithinAbs(0.259, 5e-4));
  CHECK_THAT(cfd(guide, guide, "AGA"), WithinAbs(0.069, 5e-4));
  CHECK_THAT(cfd(guide, guide, "AGT"), WithinAbs(0.016, 5e-4));
  CHECK_THAT(cfd(guide, "TTCGATGCTGATGCTAGATG"), WithinAbs(0.765, 5e-4));
  CHECK_THAT(cfd(guide, "TTCGATGCTAATCCTAGATG"), WithinAbs(0.301, 5e-4));
}

TEST_CASE("CFD scores are the product of the weights in the file, with bulges too", "[guides]") {
  const auto weights = all_weights();
  REQUIRE(weights.size() == 12 * 20 + 2 * 4 * 19 + 16);
  std::mt19937 random(2016);
  const auto base = [&random] { return std::string(1, "ACGT"[random() % 4]); };
  for (int round = 0; round < 5000; ++round) {
    const int bulge_at = static_cast<int>(1 + random() % 18);  // behind this many bases of the guide
    const unsigned size = random() % 3;
    const bool dna = random() % 2 == 0;
    const unsigned one_in = 2 + random() % 10;
    std::string guide, text;
    double expected = 1;
    for (int i = 1; i <= 20; ++i) {
      if (dna && i == bulge_at + 1) {
        for (unsigned more = 0; more < size; ++more) {
          guide += "-";
          text += base();
          expected *= weights.at("dna_bulge-" + text.substr(text.size() - 1) + std::to_string(i));
        }
      }
      const std::string g = base();
      guide += g;
      if (!dna && i > bulge_at && i <= std::min(bulge_at + static_cast<int>(size), 19)) {
        text += "-";
        expected *= weights.at("rna_bulge" + g + "-" + std::to_string(i));
        continue;
      }
      const std::string t = random() % one_in == 0 ? base() : g;
      text += t;
      if (g != t) expected *= weights.at("mismatch" + g + t + std::to_string(i));
    }
    const std::string pam = base() + base() + base();
    expected *= weights.at("pam" + pam.substr(1, 1) + pam.substr(2) + "1");
    INFO(guide << " " << text << " " << pam);
    CHECK_THAT(cfd(guide, text, pam), WithinAbs(expected, 0.6e-6));
  }
}

TEST_CASE("letters that stand for several bases have the greatest weight", "[guides]") {
  const std::string guide = "ATCGATGCTGATGCTAGATA";
  const auto with = [](std::string letters, std::size_t at, char letter) {
    letters[at] = letter;
    return letters;
  };
  for (std::size_t i = 0; i < 20; ++i) {
    double greatest = 0;
    for (const char other : {'A', 'C', 'G', 'T'}) {
      if (other != guide[i]) greatest = std::max(greatest, cfd(guide, with(guide, i, other)));
    }
    CHECK(cfd(guide, with(guide, i, 'N')) == greatest);
    CHECK(cfd(with(guide, i, 'N'), guide) == 1);  // a letter of the guide that the text matches
    CHECK(mit(with(guide, i, 'N'), guide) == 1);
    CHECK(mit(guide, with(guide, i, 'N')) == mit(guide, with(guide, i, guide[i] == 'A' ? 'C' : 'A')));
  }
}

TEST_CASE("scores are for guides of 20 beside NGG", "[guides]") {
  const auto defined = [](std::uint32_t length, std::vector<std::string> pams, bool pam_5prime = false) {
    return has_scores(length, pams, pam_5prime);
  };
  CHECK(defined(20, {"NGG"}));
  CHECK(defined(20, {"NAG", "NGG"}));
  CHECK(defined(20, {"NRG"}));
  CHECK(defined(20, {"NGN"}));
  CHECK_FALSE(defined(19, {"NGG"}));
  CHECK_FALSE(defined(21, {"NGG"}));
  CHECK_FALSE(defined(20, {"NAG"}));
  CHECK_FALSE(defined(20, {"TGG"}));
  CHECK_FALSE(defined(20, {"NGG", "NNGRRT"}));
  CHECK_FALSE(defined(20, {"NGG"}, true));
  CHECK_FALSE(defined(20, {"TTTV"}, true));
  CHECK_FALSE(defined(20, {}));
}

TEST_CASE("specificity is 1 over 1 and the sum of the off-targets", "[guides]") {
  CHECK(specificity(0) == kFullScore);
  CHECK(specificity(1'000'000) == 500'000);
  CHECK(specificity(2'000'000) == 333'333);
  CHECK(specificity(500'000) == 666'667);
  CHECK(specificity(std::uint64_t{1} << 50) == 0);
  std::string text;
  append_score(523'810, text);
  append_score(2'000'001, text += ' ');
  append_percent(523'810, text += ' ');
  append_percent(kFullScore, text += ' ');
  append_percent(1, text += ' ');
  CHECK(text == "0.523810 2.000001 52.3810 100.0000 0.0001");
}

}  // namespace basesweep::test_guide_scores
