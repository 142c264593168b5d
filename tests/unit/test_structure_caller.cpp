// Reads with structures: their samples and cell barcodes, compared with a look at all samples; layouts and lists that
// do not fit together.
#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "lib/base/dna.hpp"
#include "lib/demux/mismatch_lookup.hpp"
#include "lib/demux/structure_caller.hpp"
#include "lib/include/basesweep/error.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/environment.hpp"
#include "tests/support/reader.hpp"

namespace basesweep::test_structure_caller {

using Catch::Matchers::ContainsSubstring;

namespace {

std::string random_letters(std::mt19937& random, std::size_t length, const std::string& alphabet = "ACGT") {
  std::string letters(length, 'A');
  for (char& letter : letters) letter = alphabet[random() % alphabet.size()];
  return letters;
}

bool matches(char letter, char base) {
  const BaseSet set = iupac_set(base);
  return is_single_base(set) && (set & iupac_set(letter)) != 0;
}

std::uint32_t plain_mismatches(const std::string& barcode, const std::string& word) {
  std::uint32_t count = 0;
  for (std::size_t i = 0; i < barcode.size(); ++i) count += matches(barcode[i], word[i]) ? 0 : 1;
  return count;
}

// Whether some word fits both.
bool alike(const std::string& one, const std::string& other) {
  if (one.size() != other.size()) return false;
  for (std::size_t i = 0; i < one.size(); ++i) {
    if ((iupac_set(one[i]) & iupac_set(other[i])) == 0) return false;
  }
  return true;
}

// The rules in plain code. `costs`: the mismatches of each sample, if the read has a place for its barcode.
SampleCall plain_call(const std::vector<std::optional<std::uint32_t>>& costs,
                      const std::vector<StructureSample>& samples, std::uint32_t margin) {
  SampleCall call;
  std::optional<std::size_t> best;
  for (std::size_t i = 0; i < costs.size(); ++i) {
    if (!costs[i]) continue;
    if (!best || *costs[i] < *costs[*best] || (*costs[i] == *costs[*best] && samples[i].limit > samples[*best].limit))
      best = i;
  }
  if (!best) return call;
  std::optional<std::uint32_t> second;
  for (std::size_t i = 0; i < costs.size(); ++i) {
    if (i != *best && costs[i]) second = std::min(second.value_or(*costs[i]), *costs[i]);
  }
  const std::uint32_t limit = samples[*best].limit;
  if (*costs[*best] <= limit) call.edits = costs[*best];
  if (second && *second <= limit + margin - 1) call.second = second;
  if (*costs[*best] > limit) return call;
  if (second && *second < *costs[*best] + margin) {
    call.reason = NoSample::ambiguous;
  } else {
    call.reason = NoSample::assigned;
    call.sample = static_cast<std::uint32_t>(*best);
  }
  return call;
}

}  // namespace

TEST_CASE("Samples are the nearest ones, as a look at all of them finds", "[structure]") {
  for (std::uint64_t seed = support::test_seed(); seed < support::test_seed() + support::test_cases(150); ++seed) {
    std::mt19937 random(static_cast<std::uint32_t>(seed));
    StructureSheet sheet;
    std::vector<std::pair<std::string, std::size_t>> layouts{{"8B4M+T", 0}, {"3S8B+T", 3}, {"2M5B+T", 2}};
    layouts.resize(1 + random() % 3);
    for (const auto& [text, begin] : layouts) sheet.layouts.push_back(parse_layout(std::vector<std::string>{text}));
    const std::size_t count = 1 + random() % (seed % 4 == 0 ? 400 : 60);
    const std::string alphabet = seed % 3 == 0 ? "ACGTN" : "ACGT";
    const std::uint32_t margin = 1 + static_cast<std::uint32_t>(random() % 3);
    for (std::size_t i = 0; i < count; ++i) {
      StructureSample sample{static_cast<std::uint32_t>(random() % layouts.size()), "", 0};
      sample.barcode = random_letters(random, sample.layout == 2 ? 5 : 8, random() % 20 == 0 ? "ACGTRYN" : alphabet);
      sample.limit = static_cast<std::uint32_t>(random() % (seed % 5 == 0 ? 4 : 2));
      const bool known = std::any_of(sheet.samples.begin(), sheet.samples.end(), [&](const StructureSample& other) {
        return other.layout == sample.layout && alike(other.barcode, sample.barcode);
      });
      if (!known) sheet.samples.push_back(sample);
    }
    const std::vector<StructureSample> samples = sheet.samples;
    const CellLists lists({}, sheet.layouts, 1);
    const StructureCaller caller(std::move(sheet), lists, margin);
    StructureCall found;
    for (int trial = 0; trial < 100; ++trial) {
      std::string read = random_letters(random, 20);
      const StructureSample& near = samples[random() % samples.size()];
      for (std::size_t i = 0; i < near.barcode.size(); ++i) read[layouts[near.layout].second + i] = near.barcode[i];
      for (std::uint32_t edit = random() % 4; edit != 0; --edit) read[random() % 12] = "ACGTNacgu."[random() % 10];
      if (random() % 20 == 0) read.resize(random() % 14);
      std::vector<std::optional<std::uint32_t>> costs;
      bool too_short = true;
      for (const auto& [text, begin] : layouts)
        too_short = too_short && read.size() < (begin == 0 ? 12U : begin == 3 ? 11U : 7U);
      for (const StructureSample& sample : samples) {
        const std::size_t least = sample.layout == 0 ? 12 : sample.layout == 1 ? 11 : 7;
        auto& cost = costs.emplace_back();
        if (read.size() >= least)
          cost = plain_mismatches(sample.barcode, read.substr(layouts[sample.layout].second, sample.barcode.size()));
      }
      SampleCall expected = plain_call(costs, samples, margin);
      if (too_short) expected.reason = NoSample::too_short;
      const std::string_view mates[] = {read};
      caller.find_sample(mates, found);
      CAPTURE(seed, read, margin);
      REQUIRE(word_of(found.call.reason) == std::string(word_of(expected.reason)));
      REQUIRE(found.call.sample == expected.sample);
      REQUIRE(found.call.edits == expected.edits);
      REQUIRE(found.call.second == expected.second);
      REQUIRE(found.call.strand == (expected.reason == NoSample::assigned ? '+' : '.'));
      if (expected.reason != NoSample::assigned) continue;
      const std::uint32_t insert = found.layout == 0 ? 12 : found.layout == 1 ? 11 : 7;
      REQUIRE(found.layout == samples[expected.sample].layout);
      REQUIRE(found.call.kept[0].begin == insert);
      REQUIRE(found.call.kept[0].end == read.size());
    }
  }
}

TEST_CASE("The order of samples does not matter, nor does their number", "[structure]") {
  std::mt19937 random(static_cast<std::uint32_t>(support::test_seed()));
  std::vector<MismatchLookup::Entry> entries;
  for (std::uint32_t i = 0; i < 3000; ++i) entries.push_back({random_letters(random, 12), i, 1});
  std::sort(entries.begin(), entries.end(), [](const auto& a, const auto& b) { return a.letters < b.letters; });
  entries.erase(
      std::unique(entries.begin(), entries.end(), [](const auto& a, const auto& b) { return a.letters == b.letters; }),
      entries.end());
  const std::uint32_t most = 3;
  const MismatchLookup lookup(entries, most);
  std::reverse(entries.begin(), entries.end());
  const MismatchLookup reversed(entries, most);
  for (int trial = 0; trial < 300; ++trial) {
    std::string word = entries[random() % entries.size()].letters;
    for (std::uint32_t edit = random() % 4; edit != 0; --edit) word[random() % word.size()] = "ACGTN"[random() % 5];
    std::vector<std::uint32_t> costs;
    for (const auto& entry : entries) costs.push_back(plain_mismatches(entry.letters, word));
    std::sort(costs.begin(), costs.end());
    for (const MismatchLookup* one : {&lookup, &reversed}) {
      NearestSamples nearest;
      one->find(word, nearest);
      CAPTURE(word);
      if (costs[0] <= most) REQUIRE(nearest.edits == costs[0]);
      REQUIRE(nearest.edits >= costs[0]);
      if (costs[1] <= most) REQUIRE(nearest.second == costs[1]);
      REQUIRE(nearest.second >= costs[1]);
    }
  }
}

TEST_CASE("Layouts have a structure for each mate", "[structure]") {
  const auto parse = [](const std::vector<std::string>& texts) { return parse_layout(texts); };
  const ReadLayout pair = parse({"16C12M", "+T"});
  CHECK(pair.mates() == 2);
  CHECK(pair.text() == "16C12M +T");
  CHECK_FALSE(pair.insert(0));
  CHECK(pair.insert(1) == 0U);
  CHECK(pair.only_insert() == 1U);
  CHECK(pair.of(SegmentKind::molecular).size() == 1);
  CHECK_FALSE(parse({"8B+T", "8B+T"}).only_insert());
  CHECK(parse({"1{b[16]u[12]}2{r:}"}).of(SegmentKind::cell).size() == 1);
  const std::vector<std::string> geometry{"1{b[16]b<x>[4]r:}"};
  CHECK(parse_layout(geometry, SegmentKind::sample).of(SegmentKind::sample).size() == 1);
  CHECK(parse_layout(geometry, SegmentKind::sample).of(SegmentKind::cell).size() == 1);
  CHECK(split_structures(" 8B+T, +T ") == std::vector<std::string>{"8B+T", "+T"});
  CHECK(split_structures("").empty());
  CHECK_THROWS_WITH(parse({}), ContainsSubstring("it is of 0 reads"));
  CHECK_THROWS_WITH(parse({"8B4T+T"}), ContainsSubstring("two inserts"));
  CHECK_THROWS_WITH(parse({"1{r:}", "+T"}), ContainsSubstring("a geometry is given once"));
  CHECK_THROWS_WITH(parse({"1{r:}2{r:}3{r:}"}), ContainsSubstring("it is of 3 reads"));
  CHECK_NOTHROW(check_mates(pair, true, "--structure"));
  CHECK_THROWS_WITH(check_mates(pair, false, "--structure"), ContainsSubstring("the reads are single"));
  CHECK_THROWS_WITH(check_mates(parse({"8B+T"}), true, "--structure"), ContainsSubstring("the reads are pairs"));
  PlacedMates places;
  const std::string_view good[] = {"ACGTACGTACGTACGTACGTACGTACGT", ""};
  CHECK(pair.place(good, places) == LayoutFit::fits);
  const std::string_view bad[] = {"ACGTACGTACGTACGTACGTACGTACG", "ACGT"};
  CHECK(pair.place(bad, places) == LayoutFit::too_short);
  const ReadLayout fixed = parse({"1{f[ACGT]r:}"});
  const std::string_view other[] = {"ACGAAA"};
  CHECK(fixed.place(other, places) == LayoutFit::differs);
}

TEST_CASE("Cell barcodes have their lists by name or in order", "[structure]") {
  const reader_test::Scratch scratch;
  const std::string one = scratch.write("one.txt", "ACGT\nACGTA\n"), two = scratch.write("two.txt", "GGGGG\n");
  const auto lists_of = [](const std::vector<NamedList>& lists, const std::string& structure) {
    const std::vector<ReadLayout> layouts{parse_layout(std::vector<std::string>{structure})};
    return CellLists(lists, layouts, 1).of_layout(0);
  };
  using Numbers = std::vector<std::uint32_t>;
  CHECK(lists_of({}, "4C5C+T") == Numbers{CellLists::kNoList, CellLists::kNoList});
  CHECK(lists_of({{"", one}}, "4C5C+T") == Numbers{0, 0});
  CHECK(lists_of({{"", one}, {"", two}}, "4C5C+T") == Numbers{0, 1});
  CHECK(lists_of({{"x", one}, {"", two}}, "1{b[5]b<x>[4]r:}") == Numbers{1, 0});
  CHECK(lists_of({{"x", one}}, "1{b[5]b<x>[1-4]r:}") == Numbers{CellLists::kNoList, 0});
  CHECK_THROWS_WITH(lists_of({{"", two}}, "4C+T"), ContainsSubstring("it has no barcode of 4 bases"));
  CHECK_THROWS_WITH(lists_of({{"", two}}, "1{b[6-8]r:}"), ContainsSubstring("it has no barcode of 6 to 8 bases"));
  CHECK_THROWS_WITH(lists_of({{"", one}, {"", two}}, "4C4C4C+T"), ContainsSubstring("3 cell barcodes"));
  CHECK_THROWS_WITH(lists_of({{"x", one}}, "4C+T"), ContainsSubstring("no read structure has a cell barcode"));
  CHECK_THROWS_WITH(lists_of({{"x", one}, {"x", two}}, "4C+T"), ContainsSubstring("this name is given twice"));
  CHECK_THROWS_WITH(lists_of({}, "1{b<y>[4]r:}"), ContainsSubstring("--list y=FILE"));
  CHECK(parse_list("a=b=c").name == "a");
  CHECK(parse_list("a=b=c").path == "b=c");
  CHECK(parse_list("./a=b").path == "./a=b");
  CHECK(parse_list("list.txt").name.empty());
}

}  // namespace basesweep::test_structure_caller
