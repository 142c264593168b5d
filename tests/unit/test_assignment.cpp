// The algorithms that `auto` chooses: each query is searched once, by an algorithm that takes it.
#include "kernels/registry/assignment.hpp"

#include <algorithm>
#include <utility>

#include "kernels/registry/choose_device.hpp"
#include "kernels/registry/rooms.hpp"
#include "kernels/registry/tuned.hpp"
#include "kernels/tuning.hpp"
#include "lib/base/dna.hpp"
#include "lib/oracle/trial/generate.hpp"
#include "lib/packer/sample_text.hpp"
#include "lib/search/pattern_set.hpp"
#include "tests/support/catch.hpp"

namespace basesweep::test_assignment {

namespace {

using Catch::Matchers::ContainsSubstring;

PatternSet random_set(std::uint64_t seed, const std::vector<std::pair<std::size_t, std::size_t>>& counts_and_lengths,
                      const std::string& letters = "ACGT") {
  trial::Random random(seed);
  std::vector<Pattern> patterns;
  for (const auto& [count, length] : counts_and_lengths) {
    for (std::size_t i = 0; i < count; ++i) {
      patterns.push_back({std::to_string(patterns.size()), trial::random_letters(random, length, letters)});
    }
  }
  return {std::move(patterns), StrandChoice::plus, PalindromeChoice::once};
}

// The algorithms of kernels/papers.
constexpr Algorithm kPapers[] = {Algorithm::drk2s, Algorithm::set_horspool, Algorithm::sbom,      Algorithm::crk,
                                 Algorithm::drk,   Algorithm::drk_wom32,    Algorithm::drk_wom64, Algorithm::hrk};

std::vector<Algorithm> taken(const PatternSet& set, Device device, Output output) {
  std::vector<Algorithm> algorithms;
  for (const Share& share : assign_exact(set, device, output).shares) algorithms.push_back(share.algorithm);
  return algorithms;
}

}  // namespace

TEST_CASE("each query is assigned once, to an algorithm that takes it, with the reason", "[assignment]") {
  const PatternSet sets[] = {
      random_set(1, {{1, 1}}),
      random_set(2, {{1, 12}}),
      random_set(3, {{40, 3}, {200, 6}, {900, 7}, {4'000, 8}, {15'000, 9}, {300, 12}, {10, 5'000}, {2, 70'000}}),
      random_set(4, {{25'000, 8}}),
      random_set(5, {{30, 3}, {30, 9}, {30, 20}, {1, 9'000}}, "ACGTN"),
      random_set(6, {{300, 6}, {5'000, 64}, {100, 100}, {3, 70'000}}),
  };
  for (const PatternSet& set : sets) {
    for (const Device device : {Device::cpu, Device::gpu}) {
      for (const Output output : {Output::occurrences, Output::counts}) {
        std::vector<std::size_t> times(set.queries().size());
        for (const Share& share : assign_exact(set, device, output).shares) {
          CHECK_FALSE(share.reason.empty());
          CHECK(std::count(std::begin(kPapers), std::end(kPapers), share.algorithm) == 0);
          std::vector<Pattern> own;
          for (const std::uint32_t e : share.queries) {
            ++times.at(e);
            own.push_back(set.patterns()[set.queries()[e].pattern]);
          }
          const PatternSet part(std::move(own), StrandChoice::plus, PalindromeChoice::once);
          CHECK(decline_reason(share.algorithm, part).value_or("") == "");
        }
        CHECK(std::all_of(times.begin(), times.end(), [](std::size_t n) { return n == 1; }));
      }
    }
  }
}

TEST_CASE("no text has an algorithm of kernels/papers chosen", "[assignment]") {
  for (const Algorithm algorithm : kPapers) CHECK(room_of(algorithm).nanoseconds == nullptr);
}

TEST_CASE("the fastest algorithm measured for the number, lengths, device and output is chosen", "[assignment]") {
  using Algorithms = std::vector<Algorithm>;
  const PatternSet one = random_set(1, {{1, 12}});
  const PatternSet thousand = random_set(1, {{1'000, 12}});
  const PatternSet dense = random_set(1, {{8'000, 8}});
  CHECK(taken(one, Device::cpu, Output::occurrences) == Algorithms{Algorithm::planes});
  CHECK(taken(one, Device::gpu, Output::occurrences) == Algorithms{Algorithm::planes});
  CHECK(taken(thousand, Device::cpu, Output::occurrences) == Algorithms{Algorithm::qgrams});
  CHECK(taken(thousand, Device::gpu, Output::counts) == Algorithms{Algorithm::qgrams});
  CHECK(taken(dense, Device::cpu, Output::occurrences) == Algorithms{Algorithm::ac_dfa});
  CHECK(taken(dense, Device::gpu, Output::occurrences) == Algorithms{Algorithm::sog});
  CHECK(taken(dense, Device::gpu, Output::counts) == Algorithms{Algorithm::ac_dfa});
}

TEST_CASE("the fastest algorithm measured for long patterns on the CPU is chosen", "[assignment]") {
  const auto taken_of = [](std::size_t count, std::size_t length) {
    const std::vector<Algorithm> all = taken(random_set(1, {{count, length}}), Device::cpu, Output::occurrences);
    CHECK(all.size() == 1);
    return all.front();
  };
  CHECK(taken_of(1, 63) == Algorithm::planes);
  CHECK(taken_of(5'000, 63) == Algorithm::qgrams);
  CHECK(taken_of(6, 64) == Algorithm::planes);
  CHECK(taken_of(7, 64) == Algorithm::qgrams);
  CHECK(taken_of(4'000, 64) == Algorithm::qgrams);
  CHECK(taken_of(4'001, 64) == Algorithm::wu_manber);
  CHECK(taken_of(2, 100) == Algorithm::planes);
  CHECK(taken_of(3, 100) == Algorithm::wu_manber);
  CHECK(taken_of(5'000, 100) == Algorithm::wu_manber);
  CHECK(taken_of(2, 199) == Algorithm::planes);
  CHECK(taken_of(1, 200) == Algorithm::wu_manber);
  CHECK(taken_of(1, 20'000) == Algorithm::wu_manber);
}

TEST_CASE("the fastest algorithm measured for long patterns on the GPU is chosen", "[assignment]") {
  using Algorithms = std::vector<Algorithm>;
  const auto taken_of = [](const std::vector<std::pair<std::size_t, std::size_t>>& counts_and_lengths) {
    return taken(random_set(1, counts_and_lengths), Device::gpu, Output::occurrences);
  };
  CHECK(taken_of({{1, 500}}) == Algorithms{Algorithm::planes});
  CHECK(taken_of({{5'000, 100}}) == Algorithms{Algorithm::qgrams});
  CHECK(taken_of({{6'000, 100}}) == Algorithms{Algorithm::wu_manber});
  CHECK(taken_of({{6'000, 63}}) == Algorithms{Algorithm::qgrams});
  CHECK(taken_of({{1'000, 12}, {1, 500}}) == Algorithms{Algorithm::qgrams});
  CHECK(taken_of({{1'000, 12}, {10'000, 100}}) == Algorithms{Algorithm::qgrams});
  CHECK(taken_of({{1'000, 12}, {30'000, 100}}) == Algorithms{Algorithm::wu_manber, Algorithm::qgrams});
}

TEST_CASE("on the CPU long patterns join a search for shorter ones when that costs less", "[assignment]") {
  using Algorithms = std::vector<Algorithm>;
  const auto taken_of = [](const std::vector<std::pair<std::size_t, std::size_t>>& counts_and_lengths) {
    return taken(random_set(1, counts_and_lengths), Device::cpu, Output::occurrences);
  };
  CHECK(taken_of({{1, 12}, {1, 500}}) == Algorithms{Algorithm::planes});
  CHECK(taken_of({{1, 12}, {500, 500}}) == Algorithms{Algorithm::planes, Algorithm::wu_manber});
  CHECK(taken_of({{500, 20}, {500, 120}, {10, 1'000}}) == Algorithms{Algorithm::qgrams});
  CHECK(taken_of({{500, 20}, {10'000, 120}}) == Algorithms{Algorithm::qgrams});
  CHECK(taken_of({{100, 8}, {100, 300}}) == Algorithms{Algorithm::wu_manber, Algorithm::qgrams});
  CHECK(taken_of({{5'000, 64}, {1, 100}, {10, 300}}) == Algorithms{Algorithm::wu_manber});
  const PatternSet dense = random_set(1, {{8'000, 8}, {1, 5'000}});
  CHECK(taken(dense, Device::cpu, Output::occurrences) == Algorithms{Algorithm::ac_dfa, Algorithm::wu_manber});
  const Assignment joined = assign_exact(random_set(1, {{1, 12}, {1, 500}}), Device::cpu, Output::occurrences);
  const Assignment alone = assign_exact(random_set(1, {{1, 12}}), Device::cpu, Output::occurrences);
  CHECK(joined.seconds_per_base > alone.seconds_per_base);
  CHECK(joined.seconds_per_base < 1.5 * alone.seconds_per_base);
}

namespace {

RawBlock block_of(const std::string& text) {
  RawBlock block;
  block.file_offset = RawBlock::kNoFile;
  block.bytes.assign(text.begin(), text.end());
  block.size = text.size();
  return block;
}

// The algorithms that take all queries on this text, if `bases` of it are expected.
std::vector<Algorithm> taken_by_text(const PatternSet& set, const std::string& text, double bases = 1e8) {
  const std::optional<TextSample> sample = sample_text(block_of(">t\n" + text + "\n"), set.max_length());
  REQUIRE(sample);
  std::vector<Algorithm> algorithms;
  std::vector<std::size_t> times(set.queries().size());
  const Assignment chosen = assign_by_text(assign_exact(set, Device::cpu, Output::occurrences), set, *sample, bases);
  for (const Share& share : chosen.shares) {
    algorithms.push_back(share.algorithm);
    for (const std::uint32_t e : share.queries) ++times.at(e);
  }
  CHECK(std::all_of(times.begin(), times.end(), [](std::size_t n) { return n == 1; }));
  CHECK(chosen.seconds_per_base > 0);
  return algorithms;
}

}  // namespace

TEST_CASE("the text that comes first changes the choice where its letters do", "[assignment]") {
  using Algorithms = std::vector<Algorithm>;
  trial::Random random(5);
  const std::string uniform = trial::random_letters(random, 100'000, "ACGT");
  const std::string skewed = trial::random_letters(random, 100'000, "AAAATTTTAAAATTTTCG");
  const PatternSet even = random_set(1, {{1'000, 12}});
  const PatternSet rich = random_set(1, {{1'000, 12}}, "AAAATTTTAAAATTTTCG");
  CHECK(taken_by_text(even, uniform) == Algorithms{Algorithm::qgrams});
  CHECK(taken_by_text(rich, uniform) == Algorithms{Algorithm::qgrams});
  CHECK(taken_by_text(rich, skewed) == Algorithms{Algorithm::ac_dfa});
  CHECK(taken_by_text(rich, skewed, 1e6) == Algorithms{Algorithm::qgrams});  // too short for a look at it
  CHECK(taken_by_text(random_set(1, {{1, 12}}, "AT"), skewed) == Algorithms{Algorithm::planes});
  // Lengths that rows give to several algorithms; IUPAC codes; a pattern longer than the sample.
  CHECK(taken_by_text(random_set(1, {{200, 8}, {500, 12}, {200, 70}}, "AT"), skewed) == Algorithms{Algorithm::ac_dfa});
  CHECK(taken_by_text(random_set(2, {{1'000, 12}, {3, 40'000}}, "AAAAATTTTTCGN"), skewed).size() <= 3);
}

TEST_CASE("a sample of text has no other letters than A, C, G, T, and needs enough of them", "[assignment]") {
  trial::Random random(6);
  const std::string stretch = trial::random_letters(random, TextSample::kStretch, "ACGT");
  std::string text = ">t\n";
  for (int i = 0; i < 9; ++i) text += "NN" + stretch + "\n";
  const std::optional<TextSample> sample = sample_text(block_of(text), 12);
  REQUIRE(sample);
  CHECK(sample->positions == 9 * TextSample::kStretch);
  for (std::uint32_t i = 0; i < sample->positions; ++i) {
    const unsigned code = (sample->lo[i / 64] >> i % 64 & 1U) | (sample->hi[i / 64] >> i % 64 & 1U) << 1;
    REQUIRE(base_letter(code) == stretch[i % TextSample::kStretch]);
  }
  CHECK_FALSE(sample_text(block_of(">t\n" + stretch + "\n"), 12));
  CHECK_FALSE(sample_text(block_of(">t\n" + std::string(50'000, 'N') + "\n"), 12));
  CHECK_FALSE(sample_text(block_of(text + "1\n"), 12));  // the pipeline will say what is wrong
}

// 20 bases with 3 edits: two seeds with an error each on a CPU, four of five bases on a GPU.
TEST_CASE("map takes a GPU only where its seeds let it be faster", "[assignment]") {
  const auto reason = [](ReadQuery read) {
    FinderOptions options;
    options.expected_bases = std::int64_t{1'000'000} * read.length;
    options.usual_read = read;
    options.threads = 16;
    std::string said;
    options.log = [&said](const std::string& text) { said = text; };
    choose_device(5'000'000, options);
    return said;
  };
  CHECK_THAT(reason({0, 20, 3}), ContainsSubstring("less than the") && ContainsSubstring("of a GPU"));
  CHECK_THAT(reason({0, 36, 7}), !ContainsSubstring("of a GPU"));
}

}  // namespace basesweep::test_assignment
