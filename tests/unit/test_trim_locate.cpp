// Places of adapters in reads, compared with full matrices and plain rules; the filter never hides one.
#include "lib/trim/locate.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lib/oracle/trial/generate.hpp"
#include "lib/trim/adapter_filter.hpp"
#include "lib/trim/adapter_set.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/environment.hpp"

namespace basesweep::test_trim_locate {

namespace {

struct Cell {
  long cost, score, origin;
};

bool same(char adapter, char base) {
  const BaseSet set = iupac_set(base);
  return adapter == 'N' || (is_single_base(set) && (iupac_set(adapter) & set) != 0);
}

long bases_in(const std::string& adapter, long begin, long end) {
  long count = 0;
  for (long i = begin; i < end; ++i) count += adapter[static_cast<std::size_t>(i)] == 'N' ? 0 : 1;
  return count;
}

// The rule by a whole matrix.
std::optional<AdapterMatch> naive(const AdapterPart& part, FreeEnds ends, const std::string& read) {
  std::string adapter = part.sequence;
  std::string text = read;
  if (part.rightmost) {
    std::reverse(adapter.begin(), adapter.end());
    std::reverse(text.begin(), text.end());
    ends = ends.reversed();
  }
  const long m = static_cast<long>(adapter.size());
  const long n = static_cast<long>(text.size());
  const long k = static_cast<long>(part.max_error_rate * static_cast<double>(m));
  const long indel = part.indels ? 1 : 1000000;
  std::vector<std::vector<Cell>> cells(static_cast<std::size_t>(n) + 1,
                                       std::vector<Cell>(static_cast<std::size_t>(m) + 1));
  for (long j = 0; j <= n; ++j) {
    for (long i = 0; i <= m; ++i) {
      Cell& cell = cells[static_cast<std::size_t>(j)][static_cast<std::size_t>(i)];
      if (i == 0) {
        cell = ends.read_begin ? Cell{0, 0, j} : Cell{j * indel, -2 * j, 0};
        continue;
      }
      if (j == 0) {
        cell = ends.adapter_begin ? Cell{0, 0, -i} : Cell{i * indel, -2 * i, 0};
        continue;
      }
      const Cell& diagonal = cells[static_cast<std::size_t>(j - 1)][static_cast<std::size_t>(i - 1)];
      const Cell& above = cells[static_cast<std::size_t>(j)][static_cast<std::size_t>(i - 1)];
      const Cell& left = cells[static_cast<std::size_t>(j - 1)][static_cast<std::size_t>(i)];
      if (same(adapter[static_cast<std::size_t>(i - 1)], text[static_cast<std::size_t>(j - 1)])) {
        cell = {diagonal.cost, diagonal.score + 1, diagonal.origin};
      } else if (diagonal.cost + 1 <= std::min(above.cost, left.cost) + indel) {
        cell = {diagonal.cost + 1, diagonal.score - 1, diagonal.origin};
      } else if (above.cost <= left.cost) {
        cell = {above.cost + indel, above.score - 2, above.origin};
      } else {
        cell = {left.cost + indel, left.score - 2, left.origin};
      }
    }
  }
  struct Best {
    Cell cell;
    long i, j;
  };
  std::optional<Best> best;
  const auto begin_of = [](const Cell& cell) { return std::max(-cell.origin, 0L); };
  const auto offer = [&](long i, long j, long origin) {
    const Cell& cell = cells[static_cast<std::size_t>(j)][static_cast<std::size_t>(i)];
    const long begin = begin_of(cell);
    if (i - begin < static_cast<long>(part.min_overlap)) return;
    if (static_cast<double>(cell.cost) > static_cast<double>(bases_in(adapter, begin, i)) * part.max_error_rate) return;
    if (best) {
      const bool overlaps = origin <= best->cell.origin + m / 2;
      const bool longer = i - begin > best->i - begin_of(best->cell);
      if (cell.score <= best->cell.score || !(overlaps || longer)) return;
    }
    best = Best{cell, i, j};
  };
  const long last = ends.read_begin ? n : std::min(n, m + k);
  bool perfect = false;
  for (long j = 1; j <= last && ends.read_end && !perfect; ++j) {
    const Cell& cell = cells[static_cast<std::size_t>(j)][static_cast<std::size_t>(m)];
    if (cell.cost <= k) offer(m, j, cell.origin);
    perfect = best && best->cell.cost == 0 && best->cell.origin >= 0;
  }
  if (last == n && n > 0 && !perfect) {
    // Places at the end of the read are compared by the origin of the cell after the last good one of the column
    // before.
    long filled = m;
    const std::vector<Cell>& before = cells[static_cast<std::size_t>(n - 1)];
    if (n > 1 || !ends.adapter_begin) {
      filled = m;
      while (filled >= 0 && before[static_cast<std::size_t>(filled)].cost > k) --filled;
      filled = std::min(filled + 1, m);
    }
    const long origin = cells[static_cast<std::size_t>(n)][static_cast<std::size_t>(filled)].origin;
    for (long i = filled; i >= (ends.adapter_end ? 1 : m); --i) offer(i, n, origin);
  }
  if (!best) return std::nullopt;
  AdapterMatch match;
  match.adapter_begin = static_cast<std::uint32_t>(begin_of(best->cell));
  match.adapter_end = static_cast<std::uint32_t>(best->i);
  match.read_begin = static_cast<std::uint32_t>(std::max(best->cell.origin, 0L));
  match.read_end = static_cast<std::uint32_t>(best->j);
  match.score = static_cast<std::int32_t>(best->cell.score);
  match.errors = static_cast<std::uint32_t>(best->cell.cost);
  if (part.rightmost) {
    const auto turn = [](std::uint32_t& begin, std::uint32_t& end, long size) {
      const std::uint32_t from = static_cast<std::uint32_t>(size) - end;
      end = static_cast<std::uint32_t>(size) - begin;
      begin = from;
    };
    turn(match.adapter_begin, match.adapter_end, m);
    turn(match.read_begin, match.read_end, n);
  }
  return match;
}

AdapterPart random_part(trial::Random& random) {
  AdapterPart part;
  do {
    part.sequence = trial::random_letters(random, 1 + random.below(random.chance(10) ? 80 : 36),
                                          random.chance(30)   ? "ACGTN"
                                          : random.chance(30) ? "AC"
                                                              : "ACGT");
  } while (part.sequence.find_first_not_of('N') == std::string::npos);
  part.kind = static_cast<AdapterKind>(random.below(3));
  if (part.kind != AdapterKind::either) part.placement = static_cast<AdapterPlacement>(random.below(3));
  const bool anywhere = part.placement == AdapterPlacement::anywhere;
  part.rightmost = anywhere && part.kind != AdapterKind::either && random.chance(15);
  part.over_both_ends = anywhere && random.chance(15);
  part.indels = !random.chance(20);
  part.max_error_rate = static_cast<double>(random.below(5)) / 10;
  const auto letters = static_cast<std::uint32_t>(part.sequence.size());
  part.min_overlap = part.placement == AdapterPlacement::anchored
                         ? letters
                         : std::min(letters, 1 + static_cast<std::uint32_t>(random.below(8)));
  return part;
}

std::string random_read(trial::Random& random, const AdapterPart& part) {
  std::string read = trial::random_letters(random, random.below(random.chance(50) ? 4 : 50), "ACGTN");
  for (std::size_t pieces = random.below(3); pieces-- > 0;) {
    std::string piece = part.sequence;
    if (random.chance(30)) piece.erase(0, random.below(piece.size()));
    if (random.chance(30)) piece.resize(random.below(piece.size() + 1));
    for (std::size_t edits = random.below(4); edits-- > 0 && !piece.empty();) {
      const std::size_t at = random.below(piece.size());
      switch (random.below(3)) {
        case 0: piece[at] = trial::random_letters(random, 1, "ACGT")[0]; break;
        case 1: piece.erase(at, 1); break;
        default: piece.insert(at, trial::random_letters(random, 1, "ACGT"));
      }
    }
    read += piece + trial::random_letters(random, random.below(random.chance(50) ? 3 : 20), "ACGT");
  }
  return read;
}

}  // namespace

TEST_CASE("adapters are where full matrices say, and pass the filter") {
  std::uint64_t found = 0;
  for (std::uint64_t seed = support::test_seed(); seed < support::test_seed() + support::test_cases(100000); ++seed) {
    trial::Random random(seed);
    const AdapterPart part = random_part(random);
    const std::string read = random_read(random, part);
    const AdapterLocator locator(part);
    std::vector<LetterSet> sets;
    append_read_sets(read, false, sets);
    const std::optional<AdapterMatch> expected = naive(part, locator.ends(), read);
    const std::optional<AdapterMatch> match = locator.locate(sets);
    CAPTURE(seed, part.sequence, static_cast<int>(part.kind), static_cast<int>(part.placement), part.rightmost,
            part.over_both_ends, part.indels, part.max_error_rate, part.min_overlap, read);
    REQUIRE(match.has_value() == expected.has_value());
    if (!match) continue;
    ++found;
    REQUIRE(match->adapter_begin == expected->adapter_begin);
    REQUIRE(match->adapter_end == expected->adapter_end);
    REQUIRE(match->read_begin == expected->read_begin);
    REQUIRE(match->read_end == expected->read_end);
    REQUIRE(match->score == expected->score);
    REQUIRE(match->errors == expected->errors);
    const AdapterLocator* const locators[] = {&locator};
    std::vector<std::uint32_t> passed;
    AdapterFilter(locators).find(sets, passed);
    REQUIRE(passed == std::vector<std::uint32_t>{0});
  }
  CHECK(found > support::test_cases(100000) / 10);
}

TEST_CASE("the filter passes the same adapters of a read, alone and together") {
  for (std::uint64_t seed = support::test_seed(); seed < support::test_seed() + support::test_cases(300); ++seed) {
    trial::Random random(seed);
    std::vector<AdapterLocator> locators;
    for (std::size_t count = 1 + random.below(12); count-- > 0;) locators.emplace_back(random_part(random));
    std::vector<const AdapterLocator*> all;
    for (const AdapterLocator& locator : locators) all.push_back(&locator);
    const AdapterFilter together(all);
    const std::string read = random_read(random, locators.front().part());
    std::vector<LetterSet> sets;
    append_read_sets(read, false, sets);
    std::vector<std::uint32_t> passed, alone;
    together.find(sets, passed);
    for (std::size_t i = 0; i < all.size(); ++i) {
      std::vector<std::uint32_t> one;
      AdapterFilter(std::span(all).subspan(i, 1)).find(sets, one);
      if (!one.empty()) alone.push_back(static_cast<std::uint32_t>(i));
    }
    CAPTURE(seed, read);
    REQUIRE(passed == alone);
  }
}

TEST_CASE("of several adapters the best is found, whatever comes first") {
  const AdapterDefaults defaults;
  const auto set = [&](const std::vector<std::string>& words) {
    std::vector<Adapter> adapters;
    for (const std::string& word : words) adapters.push_back(parse_adapter(word, AdapterKind::three_prime, defaults));
    return AdapterSet(std::move(adapters));
  };
  std::vector<LetterSet> read;
  append_read_sets("ACGTACGTACAGATCGGAAGAGCTTTT", false, read);
  const std::optional<FoundAdapter> first = set({"AGATCGGAAG", "AGATCGGAAGAGC"}).find(read);
  REQUIRE(first);
  CHECK(first->adapter == 1);
  CHECK(first->kept == ReadRange{0, 10});
  CHECK(first->with_adapter == ReadRange{0, 23});
  const std::optional<FoundAdapter> linked = set({"^ACGT...AGATCGG"}).find(read);
  REQUIRE(linked);
  CHECK(linked->kept == ReadRange{4, 10});
  CHECK(linked->with_adapter == ReadRange{0, 17});
  CHECK(!set({"^TTTT...AGATCGG"}).find(read));
  CHECK(set({"TTTTGGGG;optional...AGATCGG"}).find(read)->kept == ReadRange{0, 10});
}

}  // namespace basesweep::test_trim_locate
