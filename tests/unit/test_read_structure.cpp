// Structures of reads: their two grammars, and the places of their segments, compared with a search of all ways.
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "lib/include/basesweep/error.hpp"
#include "lib/structure/read_structure.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/environment.hpp"

namespace basesweep::test_read_structure {

using Catch::Matchers::ContainsSubstring;

namespace {

// "b9-10 f4-6:ACGTA:1 r0-rest" for the segments of a structure.
std::string shown(const ReadStructure& structure) {
  std::string text;
  for (const StructureSegment& one : structure.segments()) {
    text += text.empty() ? "" : " ";
    text += "TBCMSf"[static_cast<int>(one.kind)];
    text += one.max == StructureSegment::kRest ? "+" : fmt::format("{}", one.min);
    if (one.max != StructureSegment::kRest && one.max != one.min) text += fmt::format("-{}", one.max);
    if (!one.fixed.empty()) text += ":" + one.fixed;
    if (!one.list.empty()) text += "<" + one.list + ">";
  }
  return text;
}

std::uint32_t edits_of(const std::string& fixed, const std::string& text) {
  std::vector<std::vector<std::uint32_t>> table(fixed.size() + 1, std::vector<std::uint32_t>(text.size() + 1));
  for (std::size_t i = 0; i <= fixed.size(); ++i) {
    for (std::size_t j = 0; j <= text.size(); ++j) {
      if (i == 0 || j == 0) {
        table[i][j] = static_cast<std::uint32_t>(i + j);
        continue;
      }
      table[i][j] = std::min(
          {table[i - 1][j] + 1, table[i][j - 1] + 1, table[i - 1][j - 1] + (fixed[i - 1] == text[j - 1] ? 0 : 1)});
    }
  }
  return table[fixed.size()][text.size()];
}

struct Way {
  std::uint32_t edits = 0;
  std::vector<PlacedSegment> placed{};
};

// Tries all ways from segment `way.placed.size()` on; shorter segments come first, so the first of the best is kept.
void try_all(const std::vector<StructureSegment>& segments, const std::string& read, Way& way,
             std::optional<Way>& best) {
  const std::size_t i = way.placed.size();
  const std::uint32_t begin = i == 0 ? 0 : way.placed.back().end;
  const auto takes_rest = [](const StructureSegment& one) { return one.max == StructureSegment::kRest; };
  if (i == segments.size()) {
    if (std::any_of(segments.begin(), segments.end(), takes_rest) && begin != read.size()) return;
    if (!best || way.edits < best->edits) best = way;
    return;
  }
  const StructureSegment& segment = segments[i];
  for (std::uint32_t end = begin + segment.min; end <= read.size(); ++end) {
    if (!takes_rest(segment) && end - begin > segment.max) break;
    const std::uint32_t edits = segment.fixed.empty() ? 0 : edits_of(segment.fixed, read.substr(begin, end - begin));
    if (edits > segment.edits) continue;
    way.edits += edits;
    way.placed.push_back({begin, end});
    try_all(segments, read, way, best);
    way.placed.pop_back();
    way.edits -= edits;
  }
}

std::string random_bases(std::mt19937& random, std::size_t length) {
  std::string bases(length, 'A');
  for (char& base : bases) base = "ACGT"[random() % 4];
  return bases;
}

// A geometry of one read, and a read that follows it, more or less.
std::pair<std::string, std::string> random_case(std::mt19937& random) {
  std::string text = "1{";
  std::string read;
  bool rest = false;
  for (std::size_t count = 1 + random() % 5; count != 0; --count) {
    const std::size_t most = 1 + random() % 5;
    const std::size_t least = random() % 2 == 0 ? most : random() % (most + 1);
    switch (random() % 4) {
      case 0: {
        const std::string fixed = random_bases(random, 2 + random() % 5);
        text += "f[" + fixed + "]" +
                (random() % 2 == 0 ? fmt::format("{{{}}}", random() % std::min<std::size_t>(fixed.size(), 3)) : "");
        std::string own = fixed;
        if (random() % 3 == 0) own[random() % own.size()] = "ACGTN"[random() % 5];
        if (random() % 4 == 0) own.erase(random() % own.size(), 1);
        read += own;
        break;
      }
      case 1:
        if (!rest) {
          rest = true;
          text += "r:";
          read += random_bases(random, random() % 8);
          break;
        }
        [[fallthrough]];
      default:
        text += fmt::format("{}[{}-{}]", "bux"[random() % 3], least, most);
        read += random_bases(random, least + random() % (most - least + 1));
    }
  }
  if (random() % 3 == 0) read += random_bases(random, random() % 4);
  if (random() % 5 == 0) read.resize(random() % (read.size() + 1));
  return {text + "}", read};
}

}  // namespace

TEST_CASE("Read structures of fgbio are parsed") {
  CHECK(shown(parse_read_structure("8B12M+T")) == "B8 M12 T+");
  CHECK(shown(parse_read_structure("+T")) == "T+");
  CHECK(shown(parse_read_structure("5S+T8M")) == "S5 T+ M8");
  CHECK(shown(parse_read_structure("16C12M")) == "C16 M12");
  CHECK_FALSE(is_geometry("8B+T"));
}

TEST_CASE("Geometries of simpleaf are parsed") {
  const auto reads = parse_geometry("1{b[9-10]f[CAGAGC]u[8]x[0-3]r:}2{r:}");
  REQUIRE(reads.size() == 2);
  CHECK(shown(reads[0]) == "C9-10 f6:CAGAGC M8 S0-3 T+");
  CHECK(shown(reads[1]) == "T+");
  CHECK(shown(parse_geometry("1{b<first>[8]f[ACGTA]{1}b<second>[8]u[10]}")[0]) ==
        "C8<first> f4-6:ACGTA C8<second> M10");
  CHECK(is_geometry("1{r:}"));
}

TEST_CASE("A fault in a structure is shown with its place") {
  const auto fault = [](const std::string& text, const std::string& message, std::size_t at) {
    INFO(text);
    const std::string shown = fmt::format("position {}: {}\n  {}\n  {}^", at + 1, message, text, std::string(at, ' '));
    if (is_geometry(text)) {
      CHECK_THROWS_WITH(parse_geometry(text), ContainsSubstring(shown));
    } else {
      CHECK_THROWS_WITH(parse_read_structure(text), ContainsSubstring(shown));
      CHECK_THROWS_AS(parse_read_structure(text), UsageError);
    }
  };
  fault("", "expected a number of bases or +, and one of T, B, M, C and S", 0);
  fault("8B12", "expected T, B, M, C or S", 4);
  fault("8BT", "expected a number of bases or +", 2);
  fault("8B0T", "a segment has at least one base", 2);
  fault("8B+T+M", "'+' may be there once", 4);
  fault("8b", "expected T, B, M, C or S", 1);
  fault("99999999999T", "the number is larger than 1000000000", 0);
  fault("1{b[9-10]q[8]}", "expected b, u, x, r or f, or '}'", 9);
  fault("1{b[9-}", "expected a number of bases", 6);
  fault("1{b[10-9]}", "expected two numbers of bases, the smaller one first, and the other at least 1", 4);
  fault("1{f[AC8]}", "expected a nucleotide or IUPAC code, or ']'", 6);
  fault("1{f[ACG]{3}}", "expected fewer edits than bases", 8);
  fault("2{r:}", "expected read 1", 0);
  fault("1{r:}3{r:}", "expected read 2", 5);
  fault("1{r:u:}", "':' may be there once", 4);
  fault("1{}", "expected a segment", 2);
  fault("1{b<>[8]}", "expected the name of a list", 4);
  fault("1{b[8]", "expected b, u, x, r or f, or '}'", 6);
}

TEST_CASE("Segments are placed as a search of all ways places them") {
  std::size_t placed_reads = 0;
  std::size_t with_edits = 0;
  for (std::uint64_t seed = support::test_seed(); seed < support::test_seed() + support::test_cases(20000); ++seed) {
    std::mt19937 random(static_cast<std::uint32_t>(seed));
    const auto [text, read] = random_case(random);
    CAPTURE(seed, text, read);
    const ReadStructure structure = parse_geometry(text).front();
    Way way;
    std::optional<Way> best;
    try_all(structure.segments(), read, way, best);
    std::vector<PlacedSegment> placed;
    const std::optional<std::uint32_t> edits = structure.place(read, placed);
    REQUIRE(edits.has_value() == best.has_value());
    if (!edits) continue;
    REQUIRE(*edits == best->edits);
    REQUIRE(placed == best->placed);
    ++placed_reads;
    with_edits += *edits > 0 ? 1 : 0;
  }
  CHECK(placed_reads > 0);
  CHECK(with_edits > 0);
}

TEST_CASE("A fixed sequence has IUPAC codes, and N in a read matches none of them") {
  const ReadStructure structure = parse_geometry("1{f[RN]{1}r:}").front();
  std::vector<PlacedSegment> placed;
  CHECK(structure.place("ACTT", placed) == 0u);
  CHECK(structure.place("ANTT", placed) == 1u);
  CHECK_FALSE(parse_geometry("1{f[RN]r:}").front().place("ANTT", placed));
  CHECK(parse_geometry("1{f[RN]r:}").front().place("gu", placed) == 0u);
}

}  // namespace basesweep::test_read_structure
