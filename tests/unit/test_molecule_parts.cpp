// Molecules of chunks: those of all parts together are those of one run, and what no chunk writes is refused.
#include "lib/pipeline/molecule_parts.hpp"

#include <array>
#include <cstdint>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "lib/base/error.hpp"
#include "lib/oracle/trial/generate.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/environment.hpp"
#include "tests/support/files.hpp"

namespace basesweep::test_molecule_parts {

using Catch::Matchers::ContainsSubstring;

namespace {

constexpr std::size_t kSamples = 3;
constexpr std::uint64_t kGuides = 40;

struct TextSink final : ByteSink {
  void write(std::string_view bytes) override { text += bytes; }
  std::string text;
};

// Writes the part of a chunk; returns its path.
std::string write_part(const support::ScratchFolder& folder, std::vector<MoleculeSet>& samples, std::uint32_t chunk,
                       std::uint32_t chunks) {
  TextSink sink;
  PartWriter writer(sink);
  write_head({.label = {"1", "command=count", "plan", chunk, chunks}, .inputs = {"x.fq"}}, writer);
  write_molecules(samples, writer);
  writer.add_section(kPartSummary, "{}");
  writer.finish();
  std::string path = folder.path("part" + std::to_string(chunk) + ".bsp");
  support::write_file(path, sink.text);
  return path;
}

Molecule random_molecule(trial::Random& random, std::uint64_t different) {
  const std::uint64_t word = random.below(different) * 0x9e3779b97f4a7c15U;
  return {random.chance(50) ? ~word : word, static_cast<std::uint32_t>(word >> 37U),
          static_cast<std::uint32_t>(random.below(kGuides))};
}

}  // namespace

TEST_CASE("molecules of chunks are those of the run", "[molecules]") {
  const support::ScratchFolder folder;
  trial::Random random(support::test_seed());
  for (std::uint64_t round = 0; round < support::test_cases(20); ++round) {
    using Fields = std::tuple<std::uint64_t, std::uint32_t, std::uint32_t>;
    std::array<std::set<Fields>, kSamples> expected;
    std::vector<std::string> paths;
    const auto chunks = static_cast<std::uint32_t>(1 + random.below(4));
    const std::uint64_t different = 1 + random.below(10'000);
    for (std::uint32_t chunk = 1; chunk <= chunks; ++chunk) {
      std::vector<MoleculeSet> samples(kSamples);
      for (std::uint64_t i = random.below(30'000); i != 0; --i) {
        const std::size_t sample = random.below(kSamples);
        const Molecule molecule = random_molecule(random, different);
        samples[sample].add(molecule);
        expected[sample].emplace(molecule.low, molecule.high, molecule.guide);
      }
      paths.push_back(write_part(folder, samples, chunk, chunks));
    }
    for (const int threads : {1, 3}) {
      PartSet parts(paths);
      std::vector<MoleculeSet> merged(kSamples);
      read_molecules(parts, kGuides, threads, merged);
      for (std::size_t sample = 0; sample < kSamples; ++sample) {
        std::set<Fields> found;
        std::size_t visited = 0;
        merged[sample].for_each([&](const Molecule& one) {
          found.emplace(one.low, one.high, one.guide);
          ++visited;
        });
        CHECK(visited == found.size());
        CHECK(found == expected[sample]);
      }
    }
  }
}

TEST_CASE("a molecule takes less than 10 bytes of a part", "[molecules]") {
  const support::ScratchFolder folder;
  trial::Random random(support::test_seed());
  std::vector<MoleculeSet> samples(1);
  constexpr std::uint64_t kMolecules = 200'000;
  for (std::uint64_t i = 0; i < kMolecules; ++i) {
    // 12 bases of a UMI and 16 of a cell barcode.
    samples[0].add({random.below(std::uint64_t{1} << 56), 0, static_cast<std::uint32_t>(random.below(kGuides))});
  }
  CHECK(support::read_file(write_part(folder, samples, 1, 1)).size() < 10 * kMolecules);
}

TEST_CASE("molecules of no guide or sample of the run are refused", "[molecules]") {
  const support::ScratchFolder folder;
  for (const std::size_t sample : {0U, 2U}) {
    std::vector<MoleculeSet> samples(kSamples);
    samples[0].add({1, 2, 3});
    samples[sample].add({4, 5, sample == 0 ? 7U : 6U});
    PartSet parts({write_part(folder, samples, 1, 1)});
    std::vector<MoleculeSet> merged(2);
    CHECK_THROWS_WITH(read_molecules(parts, 7, 2, merged),
                      ContainsSubstring("part1.bsp: the part is damaged: it has a row that cannot be"));
  }
}

}  // namespace basesweep::test_molecule_parts
