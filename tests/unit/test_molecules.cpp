// Molecules of guides and UMIs: their number as a set has it, and barcodes that pack to different ones.
#include <array>
#include <map>
#include <random>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "lib/counting/molecules.hpp"
#include "lib/include/basesweep/error.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/environment.hpp"

namespace basesweep::test_molecules {

using Catch::Matchers::ContainsSubstring;

namespace {

ReadLayout layout_of(const std::string& text) { return parse_layout(split_structures(text)); }

}  // namespace

TEST_CASE("Molecules are counted once", "[molecules]") {
  for (std::uint64_t seed = support::test_seed(); seed < support::test_seed() + support::test_cases(20); ++seed) {
    std::mt19937_64 random(seed);
    const std::size_t guides = 1 + random() % 50;
    const std::uint64_t different = 1 + random() % 20'000;
    MoleculeSet set;
    std::set<std::tuple<std::uint64_t, std::uint32_t, std::uint32_t>> expected;
    for (std::size_t i = random() % 100'000; i != 0; --i) {
      const std::uint64_t word = random() % different * 0x123456789abcdefU;
      const Molecule molecule{word, static_cast<std::uint32_t>(word >> 40U),
                              static_cast<std::uint32_t>(random() % guides)};
      set.add(molecule);
      expected.emplace(molecule.low, molecule.high, molecule.guide);
    }
    std::vector<std::uint64_t> counts(guides, 0), plain(guides, 0);
    set.count(counts);
    for (const auto& [low, high, guide] : expected) ++plain[guide];
    CHECK(counts == plain);
  }
}

TEST_CASE("Molecules take 16 bytes and a quarter", "[molecules]") {
  MoleculeSet set;
  for (std::uint64_t i = 0; i < 3'000'000; ++i) set.add({i % 2'000'000 * 0x9e3779b97f4a7c15U, 0, 7});
  CHECK(set.memory_bytes() < 16 * 2'000'000 * 13 / 10);
  std::vector<std::uint64_t> counts(8, 0);
  set.count(counts);
  CHECK(counts[7] == 2'000'000);
}

TEST_CASE("Different barcodes are different molecules", "[molecules]") {
  std::mt19937 random(static_cast<std::uint32_t>(support::test_seed()));
  for (const char* const text : {"3C2M+T", "4M+T 2C+T", "1{b[1-3]f[GG]u[1-2]r:}", "1{u[0-4]f[TTTT]r:}", "20C28M+T"}) {
    const ReadLayout layout = layout_of(text);
    const BarcodePacker packer(layout);
    REQUIRE(packer.any());
    std::map<std::tuple<std::uint64_t, std::uint32_t>, std::string> seen;
    std::set<std::string> barcodes;
    for (int trial = 0; trial < 5000; ++trial) {
      std::array<std::string, 2> reads;
      for (std::string& read : reads) {
        for (std::size_t i = 0; i < 60; ++i) read += "ACGT"[random() % (trial % 2 == 0 ? 4 : 2)];
        if (trial % 3 == 0) read.replace(random() % 5, 4, trial % 2 == 0 ? "TTTT" : "GGGG");
      }
      if (trial % 50 == 0) reads[0][0] = 'N';
      const std::array<std::string_view, 2> mates{reads[0], reads[1]};
      PlacedMates places;
      if (layout.place(std::span(mates).first(layout.mates()), places) != LayoutFit::fits) continue;
      std::string barcode;
      for (const SegmentKind kind : {SegmentKind::molecular, SegmentKind::cell}) {
        for (const LayoutSegment& at : layout.of(kind))
          barcode += std::string(part_of(mates[at.mate], places[at.mate][at.segment])) + " ";
      }
      const auto molecule = packer.pack(mates, places);
      CAPTURE(text, barcode);
      REQUIRE(molecule.has_value() == (barcode.find('N') == std::string::npos));
      if (!molecule) continue;
      const auto [known, is_new] = seen.try_emplace({molecule->low, molecule->high}, barcode);
      REQUIRE(known->second == barcode);
      barcodes.insert(barcode);
    }
    CHECK(barcodes.size() == seen.size());
    CHECK(barcodes.size() > 10);
  }
  CHECK_THROWS_WITH(BarcodePacker(layout_of("20C29M+T")), ContainsSubstring("more than 48 bases together"));
  CHECK_THROWS_WITH(BarcodePacker(layout_of("20T+M")), ContainsSubstring("has no limit"));
  CHECK_FALSE(BarcodePacker(layout_of("60C+T")).any());
}

}  // namespace basesweep::test_molecules
