// The costs of a query against several texts at once: those of every alignment there is, tried one by one.
#include <algorithm>
#include <array>
#include <span>
#include <vector>

#include "lib/align/cost.hpp"
#include "lib/oracle/trial/random.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/environment.hpp"

namespace basesweep::test_cost_scan {

namespace {

using trial::Random;
using Letters = std::vector<BaseSet>;

// Letters, one in twenty of which is not A, C, G or T; those of queries may be IUPAC codes instead.
Letters random_letters(Random& random, std::size_t count, bool of_query) {
  Letters letters(count);
  for (BaseSet& letter : letters) {
    letter = static_cast<BaseSet>(1U << random.below(4));
    if (random.chance(5)) letter = of_query ? static_cast<BaseSet>(random.between(1, 15)) : BaseSet{0};
  }
  return letters;
}

// Text with the query in it, changed a little, or with anything.
Letters random_text(Random& random, const Letters& query, std::size_t indels) {
  Letters text = query;
  for (BaseSet& letter : text) {
    while ((letter & (letter - 1)) != 0) letter &= static_cast<BaseSet>(letter - 1);  // one base of the set
  }
  for (std::uint64_t edits = random.below(4); edits > 0 && !text.empty(); --edits) {
    const auto at = text.begin() + static_cast<std::ptrdiff_t>(random.below(text.size()));
    switch (random.below(3)) {
      case 0: *at = static_cast<BaseSet>(1U << random.below(4)); break;
      case 1: text.erase(at); break;
      default: text.insert(at, static_cast<BaseSet>(1U << random.below(4)));
    }
  }
  const Letters more = random_letters(random, random.below(indels + 3), false);
  text.insert(text.end(), more.begin(), more.end());
  if (random.chance(20)) text.resize(random.below(text.size() + 1));
  if (random.chance(20)) text = random_letters(random, text.size(), false);
  return text;
}

// All alignments of a query's core to the first letters of a text, tried one by one.
class AllAlignments {
 public:
  AllAlignments(std::span<const BaseSet> positions, const Limits& limits) : positions_(positions), limits_(limits) {}

  // The least cost for exactly these letters.
  Cost least(std::span<const BaseSet> letters) {
    letters_ = letters;
    best_ = kNoAlignment;
    go_on(0, 0, 0, 0, 0);
    return best_;
  }

 private:
  void go_on(std::size_t position, std::size_t letter, std::uint32_t mismatches, std::uint32_t dna, std::uint32_t rna) {
    const std::uint32_t indels = dna + rna;
    if (mismatches + indels > limits_.edits || mismatches > limits_.mismatches || indels > limits_.indels ||
        dna > limits_.dna_bulges || rna > limits_.rna_bulges)
      return;
    if (position == positions_.size() && letter == letters_.size()) {
      best_ = std::min(best_, Cost{mismatches + indels, indels});
      return;
    }
    if (position < positions_.size() && letter < letters_.size()) {
      const bool match = (positions_[position] & letters_[letter]) != 0;
      go_on(position + 1, letter + 1, mismatches + (match ? 0 : 1), dna, rna);
    }
    if (letter < letters_.size()) go_on(position, letter + 1, mismatches, dna + 1, rna);
    if (position < positions_.size()) go_on(position + 1, letter, mismatches, dna, rna + 1);
  }

  std::span<const BaseSet> positions_;
  Limits limits_;
  std::span<const BaseSet> letters_;
  Cost best_ = kNoAlignment;
};

Cost naive_cost(const Query& query, std::span<const BaseSet> text, std::size_t length) {
  const auto& limits = query.limits;
  const std::size_t clamped = limits.clamp_left + limits.clamp_right;
  if (length > text.size() || length < clamped) return kNoAlignment;
  for (std::size_t i = 0; i < limits.clamp_left; ++i) {
    if ((query.sets[i] & text[i]) == 0) return kNoAlignment;
  }
  for (std::size_t i = 0; i < limits.clamp_right; ++i) {
    if ((query.sets[query.sets.size() - 1 - i] & text[length - 1 - i]) == 0) return kNoAlignment;
  }
  if (limits.indels == 0 && length != query.sets.size()) return kNoAlignment;
  return AllAlignments(core(query), limits).least(text.subspan(limits.clamp_left, length - clamped));
}

Cost found_cost(const CostScan& scan, std::size_t text, std::size_t length) {
  if (length < scan.min_length() || length - scan.min_length() >= scan.costs(text).size()) return kNoAlignment;
  return scan.costs(text)[length - scan.min_length()];
}

}  // namespace

TEST_CASE("cost scan: several texts at once have the costs of all alignments", "[align]") {
  Random random(support::test_seed());
  CostScan scan;
  CostScan best;
  for (std::uint64_t round = 0; round < support::test_cases(3000); ++round) {
    const Letters letters = random_letters(random, random.between(1, 9), true);
    Query query{.pattern = 0, .strand = Strand::plus, .iupac = false, .sets = letters, .limits = {}};
    Limits& limits = query.limits;
    limits.edits = static_cast<std::uint32_t>(random.below(std::min<std::size_t>(letters.size(), 4)));
    limits.indels = static_cast<std::uint32_t>(random.below(limits.edits + 1));
    limits.mismatches = limits.edits;
    if (random.chance(50)) limits.indels = limits.edits;
    if (random.chance(30)) limits.mismatches = std::max(limits.edits - limits.indels, limits.edits / 2);
    if (random.chance(20)) limits.dna_bulges = static_cast<std::uint32_t>(random.below(2));
    if (random.chance(20)) limits.rna_bulges = static_cast<std::uint32_t>(random.below(2));
    if (random.chance(30)) limits.clamp_left = static_cast<std::uint32_t>(random.below(letters.size() + 1));
    if (random.chance(30))
      limits.clamp_right = static_cast<std::uint32_t>(random.below(letters.size() - limits.clamp_left + 1));
    const bool closed = core(query).empty() && limits.clamp_left != 0 && limits.clamp_right != 0;
    if (closed) continue;  // no indel may lie between two clamps
    std::vector<Letters> kept;
    for (std::uint64_t i = random.between(1, CostScan::kMaxTexts); i > 0; --i)
      kept.push_back(random_text(random, letters, limits.indels));
    const std::vector<std::span<const BaseSet>> texts(kept.begin(), kept.end());
    best.run(query, texts, CostScan::Wanted::best);
    scan.run(query, texts);
    for (std::size_t t = 0; t < texts.size(); ++t) {
      for (std::size_t length = 0; length <= letters.size() + limits.indels + 2; ++length) {
        CAPTURE(round, t, length, limits.edits, limits.mismatches, limits.indels, limits.clamp_left,
                limits.clamp_right);
        CHECK((found_cost(scan, t, length) == naive_cost(query, texts[t], length)));
      }
      CHECK((best.best(t).length == scan.best(t).length && best.best(t).cost == scan.best(t).cost));
    }
  }
}

TEST_CASE("cost scan: a text has the same costs alone and beside others, however many edits there may be", "[align]") {
  Random random(support::test_seed());
  CostScan alone;
  CostScan together;
  CostScan best;
  for (std::uint64_t round = 0; round < support::test_cases(100); ++round) {
    const Letters letters = random_letters(random, random.between(60, 300), true);
    Query query{.pattern = 0, .strand = Strand::plus, .iupac = false, .sets = letters, .limits = {}};
    const auto edits = static_cast<std::uint32_t>(random.pick(std::array{3, 20, 62, 63, 64, 100}));
    query.limits.edits = std::min(edits, static_cast<std::uint32_t>(letters.size() - 1));
    query.limits.mismatches = query.limits.edits;
    query.limits.indels = random.chance(70) ? query.limits.edits : static_cast<std::uint32_t>(random.between(1, 3));
    std::vector<Letters> kept;
    for (std::uint64_t i = random.between(2, CostScan::kMaxTexts); i > 0; --i)
      kept.push_back(random_text(random, letters, query.limits.indels));
    const std::vector<std::span<const BaseSet>> texts(kept.begin(), kept.end());
    together.run(query, texts);
    for (std::size_t t = 0; t < texts.size(); ++t) {
      alone.run(query, texts[t]);
      CAPTURE(round, t, letters.size(), query.limits.edits, query.limits.indels);
      for (std::size_t length = 0; length <= letters.size() + query.limits.indels; ++length)
        CHECK((found_cost(alone, 0, length) == found_cost(together, t, length)));
      CHECK(alone.best().length == together.best(t).length);
      best.run(query, std::span(&texts[t], 1), CostScan::Wanted::best);
      CHECK((best.best().length == alone.best().length && best.best().cost == alone.best().cost));
    }
    best.run(query, texts, CostScan::Wanted::best);
    for (std::size_t t = 0; t < texts.size(); ++t)
      CHECK((best.best(t).length == together.best(t).length && best.best(t).cost == together.best(t).cost));
  }
}

}  // namespace basesweep::test_cost_scan
