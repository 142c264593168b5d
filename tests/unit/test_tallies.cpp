// Counts for plots: histograms, bins along records, the longest records.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdint>
#include <map>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "lib/base/histogram.hpp"
#include "lib/tallies/record_density.hpp"

using namespace basesweep;

TEST_CASE("A histogram has a bin for each small value and 64 for each power of two", "[tallies]") {
  std::mt19937_64 random(1);
  Histogram all;
  Histogram parts[3];
  std::vector<std::uint64_t> values{0, 1, 127, 128, 129, 255, 256, 257, std::uint64_t{1} << 63};
  for (int i = 0; i < 2000; ++i) values.push_back(random() >> (random() % 64));
  for (std::size_t i = 0; i < values.size(); ++i) {
    all.add(values[i]);
    parts[i % 3].add(values[i]);
  }
  Histogram sum;
  for (const Histogram& part : parts) sum.add(part);
  CHECK(sum.counts() == all.counts());
  std::uint64_t counted = 0;
  std::uint64_t before = 0;
  for (const Histogram::Bin& bin : all.bins()) {
    CHECK(bin.from >= before);
    const auto inside = [&](std::uint64_t value) { return value >= bin.from && value - bin.from < bin.to - bin.from; };
    CHECK(bin.count == static_cast<std::uint64_t>(std::count_if(values.begin(), values.end(), inside)));
    if (bin.from < 128) CHECK(bin.to == bin.from + 1);
    if (bin.from >= 128) CHECK((bin.to - bin.from) * 64 <= bin.from);
    counted += bin.count;
    before = bin.to;
  }
  CHECK(counted == values.size());
  Histogram read;
  CHECK(read.add_counts(all.counts()));
  CHECK(read.counts() == all.counts());
  CHECK_FALSE(read.add_counts(std::vector<std::uint64_t>(Histogram::kMostBins + 1)));
}

TEST_CASE("The density along the longest records is that of all rows, whatever was dropped meanwhile", "[tallies]") {
  std::mt19937_64 random(2);
  for (const std::size_t most : {300U, 5000U, 1U << 20}) {
    LongestRecords longest;
    RecordDensity threads[2];
    std::vector<std::int64_t> lengths;
    std::map<std::int64_t, std::vector<std::int64_t>> rows;
    std::size_t added = 0;
    for (std::int64_t record = 0; record < 12'000; ++record) {
      const auto length = static_cast<std::int64_t>(1 + random() % most);
      lengths.push_back(length);
      // Rows come before the end of their record is known, or some records after it.
      const auto add_rows = [&](std::int64_t to) {
        for (std::uint64_t i = random() % 8; i > 0; --i, ++added) {
          const auto start =
              static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(lengths[static_cast<std::size_t>(to)]));
          rows[to].push_back(start);
          if (i % 3 == 0) {
            threads[added % 2].bins_of(to, longest).add(start);
          } else {
            threads[added % 2].add(to, start, longest);
          }
        }
      };
      add_rows(record);
      if (record >= 30) add_rows(record - 30);
      longest.add(record, "r" + std::to_string(record), length);
    }
    REQUIRE(added > (std::size_t{1} << 16));
    std::map<std::int64_t, PositionBins> found;
    for (RecordDensity& thread : threads) thread.add_to(found, longest);
    std::vector<std::int64_t> order(lengths.size());
    std::iota(order.begin(), order.end(), std::int64_t{0});
    const auto length_of = [&](std::int64_t record) { return lengths[static_cast<std::size_t>(record)]; };
    std::stable_sort(order.begin(), order.end(),
                     [&](std::int64_t a, std::int64_t b) { return length_of(a) > length_of(b); });
    order.resize(LongestRecords::kMost);
    std::sort(order.begin(), order.end());
    CHECK(longest.references() == order);
    CHECK(longest.count() == lengths.size());
    CHECK(longest.bases() == std::accumulate(lengths.begin(), lengths.end(), std::int64_t{0}));
    for (const ListedRecord& record : longest.records()) {
      CHECK(record.length == length_of(record.reference));
      PositionBins bins = found[record.reference];
      bins.fit(record.length);
      const std::int64_t width = PositionBins::width_of(record.length);
      CHECK(bins.width() == width);
      std::vector<std::uint64_t> expected;
      for (const std::int64_t start : rows[record.reference]) {
        expected.resize(std::max<std::size_t>(expected.size(), static_cast<std::size_t>(start / width) + 1));
        ++expected[static_cast<std::size_t>(start / width)];
      }
      CHECK(bins.counts() == expected);
    }
  }
}

TEST_CASE("Bins of a file are taken only if they can be", "[tallies]") {
  CHECK(PositionBins::of(8, {1, 2, 3})->counts() == std::vector<std::uint64_t>{1, 2, 3});
  CHECK_FALSE(PositionBins::of(0, {1}));
  CHECK_FALSE(PositionBins::of(-4, {1}));
  CHECK_FALSE(PositionBins::of(12, {1}));
  CHECK_FALSE(PositionBins::of(4, std::vector<std::uint64_t>(PositionBins::kMost + 1)));
  PositionBins wide = *PositionBins::of(4, {1, 1, 1});
  wide.add(*PositionBins::of(1, {1, 0, 0, 0, 0, 1}));
  CHECK(wide.width() == 4);
  CHECK(wide.counts() == std::vector<std::uint64_t>{2, 2, 1});
}
