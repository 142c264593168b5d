// Plans: every base is in one chunk, chunks are about equal, and a plan survives printing and reading.
#include <algorithm>
#include <map>

#include "lib/base/error.hpp"
#include "lib/oracle/trial/random.hpp"
#include "lib/parts/part.hpp"
#include "lib/parts/plan.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/files.hpp"

namespace basesweep::test_chunk_plan {

using Catch::Matchers::Equals;

namespace {

std::vector<RecordInfo> random_lengths(trial::Random& random) {
  std::vector<RecordInfo> records;
  const std::size_t most = random.chance(50) ? 20 : 100'000;
  for (std::size_t i = random.between(1, 30); i-- != 0;) {
    records.push_back({"r" + std::to_string(records.size()), static_cast<std::int64_t>(random.between(1, most))});
  }
  return records;
}

// True when the rows, chunk after chunk, cover the records from start to end, each base once and in order.
bool covers_all(const Plan& plan, const std::vector<RecordInfo>& records) {
  std::size_t record = 0;
  std::int64_t at = 0;
  std::uint32_t chunk = 1;
  for (const PlanRow& row : plan.rows) {
    if (row.chunk < chunk || row.chunk > plan.chunks || record == records.size()) return false;
    chunk = row.chunk;
    const bool fits = row.reference == static_cast<std::int64_t>(record) && row.record == records[record].name &&
                      row.length == records[record].length && row.region.begin == at && row.region.end > at;
    if (!fits) return false;
    at = row.region.end;
    if (at == records[record].length) {
      ++record;
      at = 0;
    }
  }
  return record == records.size();
}

}  // namespace

TEST_CASE("plan: every base is in one chunk, and chunks are about equal", "[plan]") {
  trial::Random random(1);
  for (int round = 0; round < 400; ++round) {
    const std::vector<RecordInfo> records = random_lengths(random);
    const auto chunks = static_cast<std::uint32_t>(random.between(1, 40));
    const Plan plan = plan_bases(records, nullptr, chunks);
    CHECK(covers_all(plan, records));
    CHECK(plan.records() == records);
    std::map<std::uint32_t, std::int64_t> bases;
    std::int64_t total = 0;
    for (const PlanRow& row : plan.rows) {
      bases[row.chunk] += row.region.end - row.region.begin;
      total += row.region.end - row.region.begin;
    }
    // At either end a cut moves by at most a sixteenth of a chunk, and is rounded.
    for (const auto& [chunk, count] : bases) CHECK(count * chunks <= total + total / 8 + 2 * chunks);
  }
}

TEST_CASE("plan: records shorter than an eighth of a chunk stay whole", "[plan]") {
  trial::Random random(2);
  for (int round = 0; round < 200; ++round) {
    const std::vector<RecordInfo> records = random_lengths(random);
    const auto chunks = static_cast<std::int64_t>(random.between(1, 10));
    std::int64_t total = 0;
    for (const RecordInfo& record : records) total += record.length;
    for (const PlanRow& row : plan_bases(records, nullptr, static_cast<std::uint32_t>(chunks)).rows) {
      if (row.length * 8 <= total / chunks) CHECK(row.region == Region{0, row.length});
    }
  }
}

TEST_CASE("plan: of regions only; it lists what no chunk has", "[plan]") {
  RegionSet regions = RegionSet::of_names();
  regions.add("b", {10, 30});
  regions.add("b", {50, kToTheEnd});
  const Plan plan = plan_bases({{"a", 7}, {"b", 70}, {"c", 5}}, &regions, 2);
  CHECK((plan.rows ==
         std::vector<PlanRow>{
             {0, 0, "a", {0, 0}, 7}, {0, 2, "c", {0, 0}, 5}, {1, 1, "b", {10, 30}, 70}, {2, 1, "b", {50, 70}, 70}}));
  CHECK((plan.records() == std::vector<RecordInfo>{{"a", 7}, {"b", 70}, {"c", 5}}));
  for (const std::uint32_t chunk : {1, 2}) CHECK(plan.regions_of(chunk).by_place().at(1).first_begin == 10);
}

TEST_CASE("plan: regions are compared with the records", "[plan]") {
  RegionSet regions = RegionSet::of_names();
  regions.add("b", {10, 30});
  regions.add("b", {50, kToTheEnd});
  CHECK_THROWS_WITH(check_regions(regions, {{"b", 50}}, "x.fa"),
                    Equals("region b:51-: it begins past the end of the record, which has 50 bases"));
  CHECK_THROWS_WITH(check_regions(regions, {{"a", 50}}, "x.fa"),
                    Equals("x.fa: no record 'b' with bases, but a region of it is requested"));
  regions.add("c", {0, 30}, AbsentRecord::warned);
  regions.add("c", {40, 50}, AbsentRecord::warned);
  regions.add("d", {0, 30}, AbsentRecord::warned);
  const RegionWarnings warnings = check_regions(regions, {{"b", 70}, {"d", 20}}, "x.fa");
  CHECK(warnings.absent == "x.fa: 2 of 3 regions are on records that it does not have: c");
  CHECK(warnings.cut == std::vector<std::string>{cut_region("d", {0, 30}, 20)});
}

TEST_CASE("plan: of reads, cut at even read numbers", "[plan]") {
  for (const std::int64_t records : {0, 1, 2, 9, 10, 1'001}) {
    for (const std::uint32_t chunks : {1U, 2U, 3U, 17U}) {
      const Plan plan = plan_records(records, "0a", chunks);
      std::int64_t at = 0;
      for (std::uint32_t chunk = 1; chunk <= chunks; ++chunk) {
        const RecordRange range = plan.range_of(chunk);
        if (range.begin == range.end) continue;
        CHECK(range.begin == at);
        CHECK(range.begin % 2 == 0);
        CHECK(range.total == records);
        at = range.end;
      }
      CHECK(at == records);
    }
  }
}

TEST_CASE("plan: it survives printing and reading; digests of different plans differ", "[plan]") {
  const support::ScratchFolder folder;
  const std::string path = folder.path("plan.tsv");
  const Plan bases = plan_bases({{"a x", 7'000'000'000}, {"b", 70}}, nullptr, 5);
  for (const Plan& plan :
       {bases, plan_records(11, "0a", 3), plan_records(11, "0a", 3, "r/1"), plan_bases({}, nullptr, 2)}) {
    support::write_file(path, print_plan(plan));
    const Plan again = read_plan(path);
    CHECK(again.unit == plan.unit);
    CHECK(again.chunks == plan.chunks);
    CHECK(again.rows == plan.rows);
    CHECK(again.first == plan.first);
    CHECK(again.digest() == plan.digest());
  }
  CHECK(bases.digest() != plan_bases({{"a x", 7'000'000'000}, {"b", 71}}, nullptr, 5).digest());
  CHECK(bases.digest() != plan_bases({{"a x", 7'000'000'000}, {"b", 70}}, nullptr, 6).digest());

  std::string text = print_plan(bases);
  const auto read = [&](const std::string& changed) {
    support::write_file(path, changed);
    return read_plan(path);
  };
  CHECK_THROWS_AS(read(""), DataError);
  CHECK_THROWS_AS(read(text.substr(0, text.find('\n') + 1)), DataError);
  CHECK_THROWS_AS(read("x" + text), DataError);
  CHECK_THROWS_AS(read(text + text), DataError);
  const std::size_t last = text.rfind('#');
  CHECK_THROWS_AS(read(text.substr(0, last)), DataError);
  const auto insert = [&](const std::string& row) { return text.substr(0, last) + row + text.substr(last); };
  const auto message = [&](const std::string& row) -> std::string {
    try {
      read(insert(row));
    } catch (const DataError& error) {
      return error.what();
    }
    return "";
  };
  for (const char* row : {"9\ta\t0\t1\t1\t1\n",        // chunk 9 of 5
                          "5\ta\t1\t0\t1\t1\n",        // ends before it begins
                          "5\ta\t0\t2\t1\t1\n",        // past the record's end
                          "5\ta\t0\t1\t1\n",           // one column too few
                          "1\ta\t0\t1\t1\t1\n",        // out of order
                          "5\ta\t0\t1\t1\t1\tx\n"}) {  // one column too many
    CHECK(message(row).find("line ") != std::string::npos);
  }
  CHECK(message("5\tc\t0\t1\t1\t3\n").find("was changed") != std::string::npos);
}

TEST_CASE("part: its label survives printing and reading", "[plan]") {
  const PartLabel label{"0.1.0", "command=motif strand=both output=bed", "0123", 3, 17};
  const std::string text = print_part(label);
  CHECK(text == "basesweep-part\t0.1.0\tcommand=motif strand=both output=bed\t0123\t3/17");
  CHECK(parse_part(text) == label);
  CHECK(parameter(label, "strand") == "both");
  CHECK(parameter(label, "output") == "bed");
  CHECK(parameter(label, "put").empty());
  const std::string bad = GENERATE("", "basesweep-part", "x\t0.1.0\ta=b\t0\t1/2", "basesweep-part\t0.1.0\ta=b\t0\t0/2",
                                   "basesweep-part\t0.1.0\ta=b\t0\t3/2", "basesweep-part\t0.1.0\ta=b\t0\t1");
  CHECK_FALSE(parse_part(bad));
}

}  // namespace basesweep::test_chunk_plan
