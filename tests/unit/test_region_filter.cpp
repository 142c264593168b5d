// Regions on the way from text to batches: what counts, what is searched, and which regions are refused.
#include "lib/packer/region_filter.hpp"

#include <algorithm>
#include <map>

#include "lib/base/error.hpp"
#include "lib/oracle/trial/batches.hpp"
#include "lib/oracle/trial/generate.hpp"
#include "lib/packer/batcher.hpp"
#include "lib/packer/packer.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/environment.hpp"

namespace basesweep::test_region_filter {

using Catch::Matchers::Equals;

namespace {

using Regions = std::map<std::size_t, std::vector<Region>>;  // by record

bool is_acgtu(char c) { return std::string("ACGTUacgtu").find(c) != std::string::npos; }

bool inside(const std::vector<Region>& regions, std::int64_t offset) {
  return std::any_of(regions.begin(), regions.end(),
                     [offset](const Region& r) { return r.begin <= offset && offset < r.end; });
}

Regions random_regions(trial::Random& random, const std::vector<std::string>& records) {
  Regions regions;
  for (std::size_t r = 0; r < records.size(); ++r) {
    const auto size = static_cast<std::int64_t>(records[r].size());
    if (size == 0 || random.chance(30)) continue;
    for (std::uint64_t i = random.between(1, 4); i != 0; --i) {
      const auto begin = static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(size)));
      regions[r].push_back({begin, begin + static_cast<std::int64_t>(random.between(1, 30))});
    }
  }
  return regions;
}

std::string fault(const std::vector<std::string>& records, const Regions& regions, const trial::Cuts& cuts,
                  std::uint32_t halo_left, std::uint32_t halo_right) {
  RegionSet set = RegionSet::of_names();
  for (const auto& [r, of_record] : regions) {
    for (const Region& region : of_record) set.add(trial::record_name(r), region);
  }
  std::vector<std::vector<int>> owned(records.size());  // how often, of each base; -1: requested but not marked so
  for (std::size_t r = 0; r < records.size(); ++r) owned[r].resize(records[r].size());
  std::string found;
  const auto look = [&](const PackedBatch& batch) {
    const PackedView view = batch.view();
    for (const Segment& segment : batch.segments()) {
      const auto r = static_cast<std::size_t>(segment.record);
      const std::vector<Region> requested = regions.count(r) != 0 ? regions.at(r) : std::vector<Region>();
      for (std::uint32_t p = segment.position; p < segment.end; ++p) {
        const std::int64_t offset = segment.offset + (p - segment.position);
        if (offset >= static_cast<std::int64_t>(records[r].size())) found = "a segment goes on past its record";
        const auto marked = std::any_of(batch.requested()->begin(), batch.requested()->end(),
                                        [p](const Interval& i) { return i.begin <= p && p < i.end; });
        if (marked != inside(requested, offset)) found = "requested positions";
        if (p >= view.own_begin && p < view.own_end) ++owned[r][static_cast<std::size_t>(offset)];
      }
    }
  };
  Batcher batcher({.batch = {.batch_positions = cuts.batch_positions,
                             .max_length = 8,
                             .halo_left = halo_left,
                             .halo_right = halo_right},
                   .regions = &set},
                  {"text.fa"}, [&](std::unique_ptr<PackedBatch> batch) {
                    if (found.empty()) look(*batch);
                  });
  for (const RawBlock& raw : trial::cut_blocks(trial::fasta_text(records, cuts), cuts)) {
    batcher.add(pack(raw, {}));
  }
  batcher.check_regions();
  batcher.finish();

  SourceCounts counts;
  for (std::size_t r = 0; r < records.size(); ++r) {
    const std::vector<Region> requested = regions.count(r) != 0 ? regions.at(r) : std::vector<Region>();
    counts.records += requested.empty() ? 0 : 1;
    for (std::size_t i = 0; i < records[r].size(); ++i) {
      const auto offset = static_cast<std::int64_t>(i);
      const bool reached = std::any_of(requested.begin(), requested.end(), [&](const Region& region) {
        return offset >= region.begin - halo_left && offset < region.end + halo_right;
      });
      if (inside(requested, offset)) {
        ++counts.bases;
        counts.not_acgt += is_acgtu(records[r][i]) ? 0 : 1;
      }
      if (owned[r][i] > (reached ? 1 : 0)) return "searched twice, or out of reach";
      if (reached && is_acgtu(records[r][i]) && owned[r][i] == 0) return "not searched";
    }
  }
  const SourceCounts& counted = batcher.counts().at(0);
  if (counted.records != counts.records || counted.bases != counts.bases || counted.not_acgt != counts.not_acgt) {
    return "counts";
  }
  return found;
}

// The message of the error that a run on one FASTA text throws.
std::string refusal(const RegionSet& regions, const std::string& text) {
  Batcher batcher({.batch = {.batch_positions = 10, .max_length = 3, .halo_right = 2}, .regions = &regions}, {"a.fa"},
                  [](std::unique_ptr<PackedBatch>) {});
  RawBlock raw;
  raw.bytes.assign(text.begin(), text.end());
  raw.size = text.size();
  try {
    batcher.add(pack(raw, {}));
    batcher.check_regions();
  } catch (const DataError& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("random regions of random texts in random blocks") {
  const std::uint64_t rounds = support::test_cases(5'000);
  for (std::uint64_t seed = support::test_seed(); seed < support::test_seed() + rounds; ++seed) {
    trial::Random random(seed);
    const auto shape = static_cast<trial::TextShape>(random.below(trial::kTextShapes));
    const std::vector<std::string> records = trial::random_records(random, shape);
    std::size_t bases = 0;
    for (const std::string& record : records) bases += record.size();
    const trial::Cuts cuts = trial::random_cuts(random, bases);
    const auto halo_left = static_cast<std::uint32_t>(random.below(20));
    const auto halo_right = static_cast<std::uint32_t>(random.below(20));
    const Regions regions = random_regions(random, records);
    const std::string found = fault(records, regions, cuts, halo_left, halo_right);
    if (found.empty()) continue;
    FAIL(found << "\nhalos " << halo_left << ", " << halo_right << ", " << trial::literal(cuts) << '\n'
               << trial::literal({records, {}}) << "\nBASESWEEP_TEST_SEED=" << seed);
  }
}

TEST_CASE("regions by name that the input does not have") {
  RegionSet regions = RegionSet::of_names();
  regions.add("a", {2, 9});
  CHECK(refusal(regions, ">a\nACGT\n").empty());  // it may end past the record
  CHECK_THAT(refusal(regions, ">a\nAC\n"), Equals("a.fa: record 'a' has 2 bases, so it does not fit the region a:3-9"));
  CHECK_THAT(refusal(regions, ">b\nACGT\n"), Equals("a.fa: no record 'a' with bases, but a region of it is requested"));
  CHECK_THAT(refusal(regions, ">a\n>b\nACGT\n"),
             Equals("a.fa: no record 'a' with bases, but a region of it is requested"));
}

TEST_CASE("a plan that is of another input") {
  RegionSet regions = RegionSet::of_plan(2);
  regions.add(0, "a", 4, {0, 4});
  CHECK(refusal(regions, ">a\nACGT\n>b\nAC\n").empty());
  CHECK_THAT(refusal(regions, ">a\nACG\n"),
             Equals("a.fa: record 'a' has 3 bases, so it does not fit the region a:1-4"));
  CHECK_THAT(refusal(regions, ">a\nACGTA\n"),
             Equals("a.fa: record 'a' has 5 bases, so it does not fit the region a:1-4"));
  CHECK_THAT(refusal(regions, ">c\nACGT\n"), Equals("a.fa: record 1 with bases is 'c', the plan has 'a'"));
  CHECK_THAT(refusal(regions, ">a\nACGT\n>b\nAC\n>c\nA\n"),
             Equals("a.fa: record 'c' is not in the plan, which has 2 records with bases"));
}

}  // namespace basesweep::test_region_filter
