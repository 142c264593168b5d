// The input of guides: annotations, totals of guides in parts, and guides with the columns next to them.
#include <algorithm>
#include <limits>
#include <vector>

#include "lib/base/line_names.hpp"
#include "lib/guides/annotation.hpp"
#include "lib/guides/guide_set.hpp"
#include "lib/pipeline/guide_totals.hpp"
#include "lib/reader/pattern_file.hpp"
#include "tests/fuzz/fuzz.hpp"

namespace {

using namespace basesweep;

bool same(const Feature& a, const Feature& b) {
  return a.begin == b.begin && a.end == b.end && a.kind == b.kind && a.name == b.name;
}

// Compares what the tree of features finds in [begin, end) with what a look at all of them finds.
void check_overlaps(const RecordFeatures& tree, const std::vector<Feature>& all, std::int64_t begin, std::int64_t end) {
  std::vector<Feature> found;
  tree.overlapping(begin, end, found);
  std::vector<Feature> expected;
  for (const Feature& feature : all) {
    if (std::max(feature.begin, begin) < std::min(feature.end, end)) expected.push_back(feature);
  }
  fuzz::require(std::equal(found.begin(), found.end(), expected.begin(), expected.end(), same),
                "an interval overlaps the features that share a base with it, in their order");
}

void read_annotation(const std::string& path) {
  constexpr std::size_t kMost = 20;  // features whose borders are looked at
  const Annotation annotation = Annotation::read(path);
  for (const std::string& record : annotation.records()) {
    const RecordFeatures* const tree = annotation.of(record);
    fuzz::require(tree != nullptr, "records() names records that have features");
    std::vector<Feature> all;
    tree->overlapping(0, std::numeric_limits<std::int64_t>::max(), all);
    for (std::size_t i = 0; i < std::min(all.size(), kMost); ++i) {
      fuzz::require(all[i].kind < annotation.kinds().size() && all[i].name < annotation.names().size(),
                    "features have kinds and names of the annotation");
      check_overlaps(*tree, all, all[i].begin, all[i].begin + 1);
      check_overlaps(*tree, all, all[i].end - 1, all[i].end);
      check_overlaps(*tree, all, all[i].begin / 2, all[i].end - 1);
    }
    std::string names;
    annotation.append_names(all, names);
    fuzz::require(!names.empty(), "features have names, or '.'");
  }
}

// Bytes as the totals of these guides, of one part and of the same again.
void add_parts(std::string_view bytes, const std::string& path) {
  const GuideSet guides({{"g1", "GATTACAGATTACATGG"}, {"g2", "ACGTTGACCATGATTACA"}},
                        {.pams = {"NGG", "NNN"}, .side = PamSide::three_prime, .in_guide = PamInGuide::no},
                        {.mismatches = 3});
  GuideTable table(guides);
  add_totals(bytes, path, guides, table);
  add_totals(bytes, path, guides, table);
  const std::string sum = print_totals(table, guides);
  GuideTable again(guides);
  add_totals(sum, path, guides, again);
  fuzz::require(print_totals(again, guides) == sum, "totals that were printed are read as they were");
}

void read_guides(const std::string& path, std::size_t number) {
  PatternRows rows;
  const std::vector<Pattern> patterns = read_patterns(path, {}, &rows);
  fuzz::require(rows.rows.size() == patterns.size(), "every guide has its row");
  for (const auto& row : rows.rows) {
    fuzz::require(row.size() == rows.header.size(), "rows are as wide as the header");
    for (const std::string& cell : row) {
      fuzz::require(name_fault(cell, NameRule::text).empty(), "no cell has control characters");
    }
  }
  const PamChoice pam{.pams = {"NGG", "TTTV"},
                      .side = number % 2 == 0 ? PamSide::three_prime : PamSide::five_prime,
                      .in_guide = PamInGuide::automatic};
  const GuideLimits limits{.mismatches = 3, .dna_bulges = static_cast<std::uint32_t>(number % 3), .rna_bulges = 1};
  const GuideSet guides(patterns, pam, limits);
  for (const Guide& guide : guides.guides()) {
    fuzz::require(guide.letters.size() >= guides.min_length() && guide.letters.size() <= guides.max_length() &&
                      guides.max_length() <= kMaxGuideLength,
                  "guides have 15 to 30 letters");
  }
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const fuzz::Choice choice(data, size);
  const fuzz::MemoryFile file(choice.rest);
  constexpr std::size_t kGuides = 128;  // from here on, the first byte chooses guides
  fuzz::refuses([&] {
    if (choice.number >= kGuides) return read_guides(file.path(), choice.number);
    choice.number % 2 == 0 ? read_annotation(file.path()) : add_parts(choice.rest, file.path());
  });
  return 0;
}
