// Reports: what all share, what each command found, and the sums over chunks; tables of counts.
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "lib/parts/part.hpp"
#include "lib/report/chunk_summary.hpp"
#include "lib/report/count_table.hpp"
#include "lib/report/findings.hpp"
#include "lib/report/merge_reports.hpp"
#include "lib/report/report.hpp"
#include "lib/search/edit_options.hpp"
#include "tests/support/catch.hpp"

namespace basesweep::test_reports {

using Catch::Matchers::ContainsSubstring;
using Json = nlohmann::ordered_json;

namespace {

std::vector<std::string> keys_of(const Json& object) {
  std::vector<std::string> keys;
  for (const auto& [key, value] : object.items()) keys.push_back(key);
  return keys;
}

// GAATTC is its own reverse complement, so the queries are GAATTC+, ACG+ and ACG- in the order of PatternSet.
const PatternSet& sites() {
  static const PatternSet kSites({{"eco", "GAATTC"}, {"acg", "ACG"}}, StrandChoice::both, PalindromeChoice::once);
  return kSites;
}

std::size_t query_of(const std::string& name, Strand strand) {
  for (std::size_t p = 0; p < sites().patterns().size(); ++p) {
    if (sites().patterns()[p].name == name) return queries_by_strand(sites())[p].at(strand).front();
  }
  return sites().queries().size();
}

// Hits of two files: each query has 1 in the first one, and 10 in the second.
RunSummary two_files() {
  RunSummary found;
  found.sources = {{"a.fa", Compression::none, Format::fasta}, {"b.fa", Compression::gzip, Format::fasta}};
  found.source_counts = {{1, 100, 3}, {2, 200, 0}};
  found.counts.assign(3, 11);
  found.fine = {.by_source = true, .counts = {{1, 1, 1}, {10, 10, 10}}};
  found.hits = 33;
  return found;
}

RunReport small_run() {
  RunReport run;
  run.command = "motif";
  run.origin = {{"basesweep", "motif"}, "2026-01-01T00:00:00Z", {{"--output", "o.bed"}}};
  run.parameters = {{"strand", std::string("both")}, {"max_hits", {}}, {"flank", std::int64_t{3}}};
  run.matcher = "hash on cpu";
  run.seconds = 0.5;
  return run;
}

Json report_of(const RunReport& run) {
  return Json::parse(json_report(run, [](Json& report) { add_hits(sites(), two_files(), report); }));
}

// A report as a chunk has it, of `records` records and `hits` hits.
std::string chunk_report(int records, double seconds, const std::string& started, const std::string& matcher) {
  RunReport run = small_run();
  run.seconds = seconds;
  run.origin.started = started;
  run.matcher = matcher;
  run.part = PartLabel{"0.1.0", "command=motif", "0123", 1, 2};
  return json_report(run, [records](Json& report) {
    TextSummary found;
    found.sources = {{"a.fa", Compression::none, Format::fasta}};
    found.source_counts = {{records, records * std::int64_t{10}, 0}};
    add_inputs(found, report);
    report["hits"] = 1;
  });
}

}  // namespace

TEST_CASE("report: findings stand between what all reports begin and end with", "[report]") {
  const Json report = report_of(small_run());
  CHECK(keys_of(report) == std::vector<std::string>{"schema", "version", "command", "command_line", "outputs",
                                                    "parameters", "inputs", "patterns", "hits", "truncated_by_max_hits",
                                                    "machine", "timings"});
  CHECK(report["parameters"] == Json::parse(R"({"strand": "both", "max_hits": null, "flank": 3})"));
  CHECK(report["timings"] == Json::parse(R"({"started": "2026-01-01T00:00:00Z", "seconds": 0.5})"));
}

TEST_CASE("report: a chunk names its part; letters that were left out are counted if there are any", "[report]") {
  RunReport run = small_run();
  run.part = PartLabel{"0.1.0", "command=motif", "0123", 2, 3};
  run.left_out.blanks = 4;
  const Json report = report_of(run);
  const auto part = parse_part(report["part"].get<std::string>());
  REQUIRE(part);
  CHECK(*part == *run.part);
  CHECK(report["left_out"]["blanks"] == 4);
  CHECK_FALSE(report_of(small_run()).contains("left_out"));
}

TEST_CASE("report: names that are not UTF-8 do not break it", "[report]") {
  RunReport run = small_run();
  run.origin.outputs = {{"--output", "\xff.bed"}};
  CHECK_THAT(report_of(run)["outputs"].dump(), ContainsSubstring("\uFFFD.bed"));
}

TEST_CASE("report: hits of each pattern by strand, and of each file", "[report]") {
  const Json report = report_of(small_run());
  CHECK(report["inputs"][0]["hits"] == 3);
  CHECK(report["inputs"][1] == Json::parse(R"({"path": "b.fa", "format": "fasta", "compression": "gzip", "records": 2,
                                               "bases": 200, "not_acgt": 0, "soft_masked": null, "hits": 30})"));
  CHECK(report["patterns"][0]["palindromic"] == true);
  CHECK(report["patterns"][0]["counts"] == Json::parse(R"({"+": 11})"));
  CHECK(report["patterns"][1]["counts"] == Json::parse(R"({"+": 11, "-": 11})"));
}

TEST_CASE("report: hits by edits are sums over files", "[report]") {
  const PatternSet primer({{"p", "ACGTACGTAA"}}, StrandChoice::plus, PalindromeChoice::once, {.edits = 1});
  RunSummary found;
  found.sources = {{"a.fa", Compression::none, Format::fasta}, {"b.fa", Compression::none, std::nullopt}};
  found.source_counts.resize(2);
  found.counts = {9};
  found.fine = {.by_source = true, .by_edits = true, .width = 2, .counts = {{2, 3}, {0, 4}}};
  Json report = Json::object();
  add_hits(primer, found, report);
  CHECK(report["patterns"][0]["counts_by_edits"] == Json::parse(R"({"+": [2, 7]})"));
  CHECK(report["inputs"][1]["format"].is_null());
}

TEST_CASE("report: merged chunks add up what they read and say where they ran", "[report]") {
  const std::vector<ChunkReport> chunks = {{"1.bsp", "1/2", chunk_report(2, 1.5, "2026-01-02T00:00:00Z", "b")},
                                           {"2.bsp", "2/2", chunk_report(5, 2.0, "2026-01-01T00:00:00Z", "a")}};
  const Json merged = Json::parse(merge_reports(json_report(small_run(),
                                                            [](Json& report) {
                                                              report["inputs"] =
                                                                  Json::parse(R"([{"records": 0, "hits": 6}])");
                                                              report["hits"] = 6;
                                                            }),
                                                chunks));
  CHECK(merged["inputs"][0]["records"] == 7);
  CHECK(merged["inputs"][0]["bases"] == 70);
  CHECK(merged["inputs"][0]["hits"] == 6);  // which merge chose
  CHECK(merged["hits"] == 6);
  CHECK_FALSE(merged.contains("part"));
  CHECK(merged["parts"][1]["chunk"] == "2/2");
  CHECK(merged["machine"]["matcher"] == "a; b");
  CHECK(merged["timings"] == Json::parse(R"({"started": "2026-01-01T00:00:00Z", "seconds": 3.5})"));
}

TEST_CASE("report: a chunk's report that basesweep did not write is refused", "[report]") {
  const std::string whole = json_report(small_run(), [](Json& report) { report["hits"] = 0; });
  for (const char* report : {"{}", "[1]", "{", R"({"machine": 1})"}) {
    CHECK_THROWS_WITH(merge_reports(whole, {{"1.bsp", "1/1", report}}), ContainsSubstring("1.bsp"));
  }
}

TEST_CASE("report: the summary of a chunk survives printing", "[report]") {
  const ChunkSummary summary{
      .report = R"({"hits":3})", .truncated = true, .counts = {{1, 2}}, .fine = {true, true, 2, {{1, 0, 2, 0}, {}}}};
  const ChunkSummary again = parse_summary(print_summary(summary), "1.bsp");
  CHECK(again.report == summary.report);
  CHECK(again.truncated);
  CHECK(again.counts == summary.counts);
  CHECK(again.fine.counts == summary.fine.counts);
  CHECK(again.fine.width == 2);
  CHECK_THROWS_AS(parse_summary(R"({"report": 1, "truncated": false})", "1.bsp"), DataError);
}

TEST_CASE("count table: a row for each strand and file", "[report]") {
  const RunSummary found = two_files();
  CHECK(count_table(sites(), found.counts) == "pattern\tstrand\tcount\neco\t+\t11\nacg\t+\t11\nacg\t-\t11\n");
  std::vector<std::uint64_t> counts(3, 0);
  counts[query_of("acg", Strand::minus)] = 7;
  CHECK_THAT(count_table(sites(), counts), ContainsSubstring("eco\t+\t0\nacg\t+\t0\nacg\t-\t7\n"));
  CHECK_THAT(count_table(sites(), found.counts, found.fine, {"a.fa", "b.fa"}),
             ContainsSubstring("a.fa\tacg\t-\t1\nb.fa\teco\t+\t10\n"));
}

TEST_CASE("part: a parameter of its label is found by its whole name", "[parts]") {
  const PartLabel label{"0.1.0", "command=match most_edits=3 edits=2 strand=", "0123", 1, 1};
  CHECK(parameter(label, "edits") == "2");
  CHECK(parameter(label, "command") == "match");
  CHECK(parameter(label, "strand").empty());
  CHECK(parameter(label, "most").empty());
}

}  // namespace basesweep::test_reports
