// Every room of weight matrices against plain sums over every window, for any cuts of the text.
#include <fmt/format.h>

#include <algorithm>

#include "kernels/registry/tuned.hpp"
#include "kernels/tuning.hpp"
#include "lib/base/dna.hpp"
#include "lib/matrices/matrix_matcher.hpp"
#include "lib/oracle/trial/batches.hpp"
#include "lib/oracle/trial/compare_hits.hpp"
#include "lib/oracle/trial/generate.hpp"
#include "lib/oracle/trial/matrices.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/environment.hpp"
#include "tests/support/tally.hpp"

namespace basesweep::test_matrices {

namespace {

using trial::Random;

Threshold random_threshold(Random& random) {
  switch (random.below(8)) {
    case 0: return {Threshold::Kind::p_value, 1};
    case 1: return {Threshold::Kind::p_value, 0};
    case 2: return {Threshold::Kind::relative, static_cast<double>(random.below(101)) / 100};
    case 3: return {Threshold::Kind::score, static_cast<double>(random.below(20)) - 5};
    case 4: return {Threshold::Kind::p_value, 0.01};
    default: return {Threshold::Kind::p_value, 1e-3};
  }
}

std::vector<std::string> random_text(Random& random) {
  if (random.chance(20)) {
    // Two letters, so that few matrices see anything but extremes.
    std::vector<std::string> records;
    for (std::size_t i = random.between(1, 3); i > 0; --i) {
      records.push_back(trial::random_letters(random, random.below(3000), random.chance(50) ? "AC" : "AT"));
    }
    return records;
  }
  return trial::random_records(random, static_cast<trial::TextShape>(random.below(trial::kTextShapes)));
}

// Compares all rooms on all devices and instruction sets with the expected hits. Returns the first fault.
std::string check(const MatrixSet& set, const oracle::MatrixQuestion& question, Random& random) {
  const std::vector<oracle::Hit> expected = oracle::search(question);
  std::size_t bases = 0;
  for (const std::string& record : question.records) bases += record.size();
  std::vector<MatrixAlgorithm> algorithms = matrix_algorithms();
  algorithms.push_back(MatrixAlgorithm::automatic);
  for (const MatrixAlgorithm algorithm : algorithms) {
    for (const support::TestedDevice& where : support::tested_devices()) {
      const std::string name = fmt::format("{}, {}", to_string(algorithm), where.name);
      const trial::Cuts cuts = trial::random_cuts(random, bases);
      Tuning tuning;
      if (algorithm == MatrixAlgorithm::filter && random.chance(80)) {
        tuning.block = static_cast<std::uint32_t>(random.between(1, 8));
      }
      for (const Output output : {Output::occurrences, Output::counts}) {
        MatrixMatcherOptions matching;
        matching.algorithm = algorithm;
        matching.device = where.device;
        matching.output = output;
        matching.isa = where.isa;
        const auto matcher = make_matrix_matcher(set, matching, tuning);
        const trial::Batches batches =
            trial::make_batches(question.records, cuts, {.isa = where.isa, .soft_masked = question.skip_soft_masked},
                                set.patterns().max_length(), matcher->memory());
        const std::string fault = output == Output::occurrences
                                      ? trial::compare_hits(*matcher, batches, set.patterns(), expected)
                                      : trial::compare_counts(*matcher, batches, set.patterns(), expected);
        if (!fault.empty())
          return fmt::format("{}, q {}: {}\nwith {}", name, tuning.block, fault, trial::literal(cuts));
      }
      support::tally().ran(name);
    }
  }
  return "";
}

}  // namespace

TEST_CASE("rooms of matrices find what sums over every window find", "[matrices]") {
  const std::uint64_t cases = support::test_cases(400);
  for (std::uint64_t i = 0; i < cases; ++i) {
    const std::uint64_t seed = support::test_seed() + i;
    Random random(seed);
    std::vector<FileMatrix> files;
    const std::size_t count = random.chance(10) ? 70 : random.between(1, 6);
    for (std::size_t m = 0; m < count; ++m) {
      const std::size_t width = m == 0 ? 1 + i % kMaxMatrixWidth : random.between(1, random.chance(20) ? 64 : 20);
      files.push_back(trial::random_matrix(random, m, width));
    }
    MatrixSet::Options options;
    options.threshold = random_threshold(random);
    const auto strands = static_cast<StrandChoice>(random.chance(70) ? 0 : random.below(3));
    options.strands = strands;
    const MatrixSet set(files, options);
    const auto question = trial::matrix_question(set, random_text(random), strands, random.chance(20));
    INFO("seed " << seed);
    const std::string fault = check(set, question, random);
    INFO(fault);
    REQUIRE(fault.empty());
  }
}

// Turning the text round turns the hits.
TEST_CASE("hits of matrices are mirrored on the other strand", "[matrices]") {
  const std::uint64_t cases = support::test_cases(40);
  for (std::uint64_t i = 0; i < cases; ++i) {
    Random random(support::test_seed() + i);
    std::vector<FileMatrix> files;
    for (std::size_t m = 0; m < 4; ++m) files.push_back(trial::random_matrix(random, m, random.between(1, 30)));
    MatrixSet::Options options;
    options.threshold = {Threshold::Kind::p_value, 1e-2};
    const MatrixSet set(files, options);
    const std::string record = trial::random_letters(random, 2000, "ACGT");
    std::string turned;
    for (std::size_t at = record.size(); at > 0; --at) turned += base_letter(complement(base_code(record[at - 1])));
    const auto hits_in = [&](const std::string& text) {
      MatrixMatcherOptions matching;
      matching.device = Device::cpu;
      const auto matcher = make_matrix_matcher(set, matching);
      const trial::Batches batches =
          trial::make_batches({text}, {}, {}, set.patterns().max_length(), matcher->memory());
      std::vector<std::string> hits;
      for (const Occurrence hit : trial::match(*matcher, *batches.front()).occurrences) {
        const Query& query = set.patterns().queries()[occurrence_query(hit)];
        const std::size_t position = occurrence_position(hit);
        const bool forward = (query.strand == Strand::plus) == (&text == &record);
        const std::size_t start = &text == &record ? position : text.size() - position - query.sets.size();
        const std::string letters = text.substr(position, query.sets.size());
        hits.push_back(
            fmt::format("{} {} {} {}", start, query.pattern, forward, set.score_of(occurrence_query(hit), letters)));
      }
      std::sort(hits.begin(), hits.end());
      return hits;
    };
    CHECK(hits_in(record) == hits_in(turned));
  }
}

}  // namespace basesweep::test_matrices
