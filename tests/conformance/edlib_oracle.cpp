// The best distance of a pattern in a text and its end positions agree with edlib's.
#include <edlib.h>
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "lib/align/resolver.hpp"
#include "lib/base/dna.hpp"
#include "lib/oracle/trial/generate.hpp"
#include "lib/search/edit_options.hpp"
#include "lib/search/packed_batch.hpp"
#include "lib/search/pattern_set.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/environment.hpp"

namespace {

using namespace basesweep;

struct Best {
  int edits = -1;
  std::set<int> last_positions;
  bool operator==(const Best&) const = default;
};

// An IUPAC code in the pattern equals each of its bases. N in the text is written as '#' and equals nothing.
Best with_edlib(const std::string& pattern, std::string text, int most) {
  std::replace(text.begin(), text.end(), 'N', '#');
  std::vector<EdlibEqualityPair> equal;
  for (const char letter : std::string("RYSWKMBDHVN")) {
    for (const char base : std::string("ACGT")) {
      if ((iupac_set(letter) & iupac_set(base)) != 0) equal.push_back({letter, base});
    }
  }
  const EdlibAlignConfig config =
      edlibNewAlignConfig(most, EDLIB_MODE_HW, EDLIB_TASK_DISTANCE, equal.data(), static_cast<int>(equal.size()));
  const EdlibAlignResult result =
      edlibAlign(pattern.data(), static_cast<int>(pattern.size()), text.data(), static_cast<int>(text.size()), config);
  Best best{result.editDistance, {result.endLocations, result.endLocations + result.numLocations}};
  edlibFreeAlignResult(result);
  return best;
}

Best with_resolver(const std::string& pattern, const std::string& text, std::uint32_t most) {
  const auto positions = static_cast<std::uint32_t>(text.size());
  EditOptions options;
  options.edits = most;
  const PatternSet set({{"p", pattern}}, StrandChoice::plus, PalindromeChoice::once, options);
  PackedBatch batch(positions, set.max_length(), std::pmr::get_default_resource());
  batch.begin_segment("r", 0, 0, 0);
  std::vector<Occurrence> ends;
  for (std::uint32_t i = 0; i < positions; ++i) {
    const std::uint64_t lo = base_code(text[i]) & 1;
    const std::uint64_t hi = base_code(text[i]) >> 1;
    batch.append(&lo, &hi, 0, 1);
    if (text[i] == 'N') batch.add_letters({i, i + 1, 'N'});
    ends.push_back(make_occurrence(i, 0));  // ends that are too many do no harm
  }
  batch.finish(0, positions);
  Best best;
  for (const Hit& hit : Resolver(set, Report::all, false).resolve(batch, ends)) {
    if (best.edits != -1 && hit.edits > best.edits) continue;
    if (best.edits != hit.edits) best = {hit.edits, {}};
    best.last_positions.insert(static_cast<int>(hit.position + hit.length - 1));
  }
  return best;
}

}  // namespace

TEST_CASE("best distance and its ends are edlib's", "[edlib]") {
  const std::uint64_t cases = support::test_cases(1000);
  for (std::uint64_t seed = support::test_seed(); seed < support::test_seed() + cases; ++seed) {
    trial::Random random(seed);
    std::string text = trial::random_letters(random, random.between(1, 400), random.chance(40) ? "AC" : "ACGT");
    const std::size_t length = random.chance(80) ? random.between(2, 40) : random.between(41, 150);
    std::string pattern = trial::random_letters(random, length, random.chance(40) ? "ACGTRYSWKMBDHVN" : "ACGT");
    if (text.size() > length && random.chance(60)) {
      pattern = text.substr(random.below(text.size() - length), length);
      for (std::size_t edits = random.below(6); edits-- > 0;) {
        const std::size_t at = random.below(pattern.size());
        random.chance(50) ? pattern.erase(at, 1) : pattern.insert(at, 1, 'G');
        if (pattern.empty()) pattern = "A";
      }
    }
    if (random.chance(30)) {
      for (char& letter : text) letter = random.chance(8) ? 'N' : letter;
    }
    const auto most = static_cast<std::uint32_t>(random.below(std::min<std::size_t>(pattern.size(), 20)));
    const Best expected = with_edlib(pattern, text, static_cast<int>(most));
    const Best found = with_resolver(pattern, text, most);
    if (found == expected) continue;
    FAIL(fmt::format("{} edits, edlib {}: pattern = \"{}\"; text = \"{}\"; edits = {}", found.edits, expected.edits,
                     pattern, text, most)
         << "\nrepeat with BASESWEEP_TEST_SEED=" << seed << " BASESWEEP_TEST_CASES=1");
  }
}
