// Ends of reads that are cut by quality, by letters and by the overlap of mates, compared with plain rules.
#include "lib/trim/read_steps.hpp"

#include <algorithm>
#include <optional>
#include <string>

#include "lib/base/iupac_letters.hpp"
#include "lib/oracle/trial/generate.hpp"
#include "lib/trim/known_adapters.hpp"
#include "lib/trim/mate_overlap.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/environment.hpp"

namespace basesweep::test_trim_steps {

namespace {

std::string turned(std::string letters) {
  std::reverse(letters.begin(), letters.end());
  for (char& letter : letters) letter = complement_letter(letter);
  return letters;
}

// The fragment's length by trying all.
std::optional<std::uint32_t> naive_length(const std::string& first, const std::string& second) {
  const std::string other = turned(second);
  std::optional<std::uint32_t> found;
  for (long length = 1; length <= static_cast<long>(first.size() + second.size()); ++length) {
    const long shift = static_cast<long>(second.size()) - length;
    long overlap = 0;
    long differences = 0;
    for (long i = 0; i < std::min(length, static_cast<long>(first.size())); ++i) {
      if (i + shift < 0) continue;
      ++overlap;
      const char a = first[static_cast<std::size_t>(i)];
      const char b = other[static_cast<std::size_t>(i + shift)];
      differences += a != b || a == 'N' ? 1 : 0;
    }
    if (overlap < kLeastOverlap ||
        differences > static_cast<long>(kMostOverlapDifference * static_cast<double>(overlap)))
      continue;
    if (found) return std::nullopt;
    found = static_cast<std::uint32_t>(length);
  }
  return found;
}

}  // namespace

TEST_CASE("ends of low quality") {
  const auto check = [](const char* quality, int front, int back, ReadRange expected) {
    const ReadRange range = quality_range(quality, front, back);
    CHECK(range.begin == expected.begin);
    CHECK(range.end == expected.end);
  };
  check("", 10, 10, {0, 0});
  check("IIIII", 10, 10, {0, 5});
  check("!!III", 10, 10, {2, 5});
  check("III!!", 0, 10, {0, 3});
  check("!!!!!", 0, 10, {0, 0});
  check("II#I##", 0, 10, {0, 4});
  check("IIII+#+", 0, 12, {0, 4});
  CHECK(nextseq_end("ACGGG", "IIIII", 20) == 2);
  CHECK(nextseq_end("ACGGA", "IIIII", 20) == 5);
}

TEST_CASE("tails, unknown ends and expected errors") {
  CHECK(poly_a_begin("CCGTAAAAAA") == 4);
  CHECK(poly_a_begin("CCGTAAAAGAAA") == 4);
  CHECK(poly_a_begin("CCGTCAA") == 7);
  CHECK(poly_a_begin("AAAA") == 0);
  CHECK(poly_t_end("TTTTTGC") == 5);
  CHECK(poly_t_end("TTGC") == 0);
  CHECK(known_range("NN.ACNGT.N") == ReadRange{3, 8});
  CHECK(known_range("N.N") == ReadRange{0, 0});
  CHECK(count_unknown("AN.nC") == 3);
  CHECK(std::abs(expected_errors("!+5") - 1.11) < 1e-9);
}

TEST_CASE("mates overlap where trying all lengths says") {
  std::size_t found = 0;
  for (std::uint64_t seed = support::test_seed(); seed < support::test_seed() + support::test_cases(3000); ++seed) {
    trial::Random random(seed);
    const std::string fragment = trial::random_letters(random, random.below(220), random.chance(10) ? "AC" : "ACGT");
    const std::size_t read = 1 + random.below(140);
    const auto mate = [&](std::string bases) {
      bases += trial::random_letters(random, read, "ACGT");
      bases.resize(read);
      for (std::size_t errors = random.below(8); errors-- > 0;)
        bases[random.below(bases.size())] = trial::random_letters(random, 1, "ACGTN")[0];
      return bases;
    };
    const std::string first = mate(fragment);
    const std::string second = mate(turned(fragment));
    CAPTURE(seed, first, second);
    const std::optional<std::uint32_t> length = fragment_length(first, second);
    REQUIRE(length == naive_length(first, second));
    found += length ? 1 : 0;
  }
  CHECK(found > 0);
}

TEST_CASE("adapters of the first pairs: those of a kit, others, none") {
  const auto guess = [](const std::string& first_adapter, const std::string& second_adapter, std::size_t longest) {
    trial::Random random(support::test_seed());
    AdapterGuess all;
    for (int i = 0; i < 300; ++i) {
      const std::string fragment = trial::random_letters(random, 30 + random.below(longest), "ACGT");
      const auto mate = [&](const std::string& bases) {
        std::string read = bases + trial::random_letters(random, 100, "ACGT");
        read.resize(100);
        return read;
      };
      all.add(mate(fragment + first_adapter), mate(turned(fragment) + second_adapter));
    }
    return all.result();
  };
  const AdapterPair& nextera = known_adapters()[1];
  CHECK(guess(nextera.first, nextera.second, 100).name == nextera.name);
  const AdapterPair other = guess("CCATTGCAGGTTACCATGATTCAGGTACCAGATT", "TTGACCATTGGCAATTACGGCATTACCGGATTAC", 100);
  CHECK(other.first == "CCATTGCAGGTTACCATGATTCAGGTACCAGAT");
  CHECK(other.second == "TTGACCATTGGCAATTACGGCATTACCGGATTA");
  trial::Random random(support::test_seed());
  AdapterGuess none;
  for (int i = 0; i < 300; ++i)
    none.add(trial::random_letters(random, 100, "ACGT"), trial::random_letters(random, 100, "ACGT"));
  CHECK(none.result().first.empty());
}

}  // namespace basesweep::test_trim_steps
