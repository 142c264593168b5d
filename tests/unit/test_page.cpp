// Pages of reports: text, numbers, scales and pictures; reports that are damaged.
#include <cmath>
#include <nlohmann/json.hpp>
#include <string>

#include "lib/base/error.hpp"
#include "lib/page/aligned_place.hpp"
#include "lib/page/bands.hpp"
#include "lib/page/chart.hpp"
#include "lib/page/genome_links.hpp"
#include "lib/page/logo.hpp"
#include "lib/page/page.hpp"
#include "lib/page/scale.hpp"
#include "lib/page/text.hpp"
#include "lib/page/value.hpp"
#include "tests/support/catch.hpp"

namespace basesweep::test_page {

namespace {

using Json = nlohmann::ordered_json;

std::string page_of(const Json& report) { return render_page({{"run", report}}); }

Json report_of(const std::string& command) {
  return {{"schema", "basesweep-report/1"}, {"version", "0.1.0"}, {"command", command}};
}

bool holds(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

std::string labels_of(const std::vector<Tick>& ticks) {
  std::string all;
  for (const Tick& tick : ticks) all += (all.empty() ? "" : " ") + tick.label;
  return all;
}

}  // namespace

TEST_CASE("page: text is escaped") {
  CHECK(escaped("a<b>&\"'") == "a&lt;b&gt;&amp;&quot;&#39;");
  CHECK(escaped(std::string_view("\x00\x07\n\x7f", 4)) == "\\x00\\x07\\n\\x7f");
  CHECK(escaped("\xc2\x85 \xe2\x80\xae") == "\\x85 \\u202e");
  CHECK(escaped("\xff\xc0\xaf\xed\xa0\x80z") == "\ufffd\ufffd\ufffd\ufffd\ufffd\ufffdz");
  CHECK(escaped("gr\xc3\xb6\xc3\x9f"
                "e") ==
        "gr\xc3\xb6\xc3\x9f"
        "e");
  CHECK(escaped("\xe2\x82") == "\ufffd\ufffd");
  CHECK(shortened("abcdefghij", 10) == "abcdefghij");
  CHECK(shortened("abcdefghijk", 10) == "abcdef\u2026ijk");
  CHECK(cut("<bcdefghijk", 10) == "<bcdef\u2026ijk");
  CHECK(title_of("abcdefghij", 10).empty());
  CHECK(title_of("abcdefghij\"", 10) == " title=\"abcdefghij&quot;\"");
  CHECK(title_of(std::string(1000, 'a')).size() < 320);
}

TEST_CASE("page: numbers as people read them") {
  CHECK(grouped(0) == "0");
  CHECK(grouped(1234567) == "1,234,567");
  CHECK(rounded(9999) == "9,999");
  CHECK(rounded(12345) == "12.3k");
  CHECK(rounded(999600) == "1M");
  CHECK(decimal(0.12345) == "0.1235");
  CHECK(decimal(250) == "250");
  CHECK(percent(0, 0) == "-");
  CHECK(percent(1, 8) == "12.5 %");
  CHECK(percent(99999, 100000) == "> 99.9 %");
  CHECK(percent(5, 5) == "100 %");
  CHECK(bases(1) == "1 base");
  CHECK(bases(48502) == "48.5 kb");
  CHECK(bases(999'999) == "1 Mb");
  CHECK(duration(0.532) == "0.53 s");
  CHECK(duration(200) == "3 min 20 s");
  CHECK(duration(7500) == "2 h 5 min");
  CHECK(counted_noun(1, "mismatch") == "1 mismatch");
  CHECK(counted_noun(1000, "mismatch") == "1,000 mismatches");
}

TEST_CASE("page: values that are missing or of another type are empty") {
  const Json json = Json::parse(R"({"a": [1, -2, "x", null, 3.5, 18446744073709551615, 1], "b": "text", "c": true})");
  const Value value(json);
  CHECK(value.get("a").size() == 7);
  CHECK(value.get("a").counts() == std::vector<std::uint64_t>{1, 0, 0, 0, 0, 18446744073709551615U, 1});
  CHECK(value.get("a").sum() == 18446744073709551615U);
  CHECK(!value.get("z").get("y").at(3).exists());
  CHECK(!value.get("a").at(3).exists());
  CHECK(value.get("b").text() == "text");
  CHECK(value.get("a").text().empty());
  CHECK(value.get("c").shown() == "true");
  CHECK(!value.get("b").number());
  const Json bins = Json::parse(R"([[0, 1, 5], [1, 1, 2], ["a", 2, 1], [2, 4, 0], 7, [4, 8, 3], [5, 9, 1]])");
  const std::vector<Bin> read = bins_of(Value(bins));
  REQUIRE(read.size() == 2);
  CHECK(read[1].from == 4);
  CHECK(read[1].count == 3);
}

TEST_CASE("page: scales") {
  CHECK(nice_width(3) == 5);
  CHECK(nice_width(0.02) == 0.02);
  CHECK(nice_width(0) == 1);
  CHECK(labels_of(Scale(0, 25, 0, 100).ticks(5)) == "0 5 10 15 20 25");
  CHECK(labels_of(Scale::logarithmic(0, 5000, 0, 100, 1).ticks(6)) == "0 1 10 100 1,000");
  CHECK(Scale(0, 10, 0, 100).place(20) == 100);
  const Levels few = Levels::of_counts(2);
  CHECK(few.level(0) == 0);
  CHECK(few.level(1) == 3);
  CHECK(few.level(2) == 5);
  const Levels many = Levels::of_counts(100000);
  CHECK(many.level(1) == 1);
  CHECK(many.level(100000) == 5);
  CHECK(many.names().size() == 5);
}

TEST_CASE("page: classes of rates reach from low to high ones") {
  std::vector<double> dense;
  for (int i = 0; i < 100; ++i) dense.push_back(600 + i);
  const Levels close = Levels::of_rates(dense);
  CHECK(close.level(600) == 1);
  CHECK(close.level(699) == 5);
  std::vector<double> wide;
  for (int i = 0; i < 100; ++i) wide.push_back(std::pow(1.2, i));
  const Levels apart = Levels::of_rates(wide);
  CHECK(apart.level(1) == 1);
  CHECK(apart.level(wide.back()) == 5);
  CHECK(apart.names().size() == 5);
  CHECK(Levels::of_rates({0, 0}).names().empty());
  CHECK(Levels::of_rates({2, 2, 2}).names().size() == 1);
  CHECK(Levels::of_counts(0).names().empty());
}

TEST_CASE("page: equally dense records have one colour, however wide their bins are") {
  const RecordBar large{
      .name = "large", .length = 262144, .bin = 1024, .counts = std::vector<std::uint64_t>(256, 32), .hover = ""};
  const RecordBar small{
      .name = "small", .length = 16384, .bin = 64, .counts = std::vector<std::uint64_t>(256, 2), .hover = ""};
  const std::string svg = draw_records({large, small}, "", "hits", Rate::density);
  CHECK(holds(svg, "hits per kb"));
  for (const char* other : {"path class=k1", "path class=k2", "path class=k3", "path class=k5"})
    CHECK(!holds(svg, other));
  CHECK(holds(draw_records({small}, "", "reads deep", Rate::depth), "reads deep</p>"));
}

TEST_CASE("page: a histogram says between which values it is") {
  const auto summary = [](const std::vector<Bin>& bins, bool keep, double step) {
    return chart_of_bins({{"reads", bins}}, "length (bases)", "reads", keep, false, step).summary;
  };
  CHECK(summary({{250, 252, 7}}, false, 0) == "Histogram of reads by length (bases): 7, between 250 and 251");
  CHECK(summary({{60, 61, 7}}, true, 0) == "Histogram of reads by length (bases): 7, all 60");
  CHECK(summary({{96.8, 96.9, 1}, {100, 100.1, 6}}, true, 0.1) ==
        "Histogram of reads by length (bases): 7, between 96.8 and 100");
}

TEST_CASE("page: what is known of sizes, strands and hits is said, and no more") {
  Json report = report_of("pcr");
  report["pairs"] = Json::array({{{"name", "a"}, {"counts", {{"+", 20}, {"-", 0}}}}});
  report["plots"] = {{"pair_sizes", Json::array({{{"name", "a"}, {"sizes", {{292, 296, 20}}}}})}};
  CHECK(holds(page_of(report), "about 292\u2013295"));
  report["plots"]["pair_sizes"][0]["smallest"] = 292;
  report["plots"]["pair_sizes"][0]["largest"] = 292;
  CHECK(holds(page_of(report), "<td>292\n"));
  CHECK(holds(page_of(report), "Bases: 292: 20"));

  Json motif = report_of("motif");
  motif["hits"] = -5;
  motif["parameters"] = {{"strand", "plus"}};
  motif["patterns"] = Json::array({{{"name", "x"}, {"palindromic", false}, {"counts", {{"+", 5}}}}});
  const std::string page = page_of(motif);
  CHECK(holds(page, "<dt>hits</dt><dd>-</dd>"));
  CHECK(holds(page, "Only the strand + was searched."));
  CHECK(!holds(page, "Strands"));
}

TEST_CASE("page: joined bins keep every count") {
  std::vector<Bin> bins;
  std::uint64_t all = 0;
  for (int i = 0; i < 3000; ++i) {
    bins.push_back({static_cast<double>(i), static_cast<double>(i + 1), static_cast<std::uint64_t>(i % 7 + 1)});
    all += bins.back().count;
  }
  for (const bool logarithmic : {false, true}) {
    const Chart chart = chart_of_bins({{"reads", bins}}, "length (bases)", "reads", false, logarithmic);
    double sum = 0;
    for (const ChartBar& bar : chart.bars) sum += bar.values[0];
    CHECK(sum == static_cast<double>(all));
    CHECK(chart.bars.size() < 80);
  }
  CHECK(draw(chart_of_bins({{"reads", {}}}, "x", "y")).empty());
}

TEST_CASE("page: a chart is this SVG") {
  const std::string svg = draw(chart_of_counts({3, 0, 1}, "edits", "hit"));
  CHECK(svg ==
        "<svg viewBox=\"0 0 360 212\" role=img aria-label=\"Bar chart of hits by edits: 0: 3, 1: 0, 2: 1\">"
        "<path class=g d=\"M54 172H346M54 121.67H346M54 71.35H346M54 21.02H346\"/>"
        "<text x=49 y=172 dy=.35em text-anchor=end>0</text><text x=49 y=121.67 dy=.35em text-anchor=end>1</text>"
        "<text x=49 y=71.35 dy=.35em text-anchor=end>2</text><text x=49 y=21.02 dy=.35em text-anchor=end>3</text>"
        "<g><title>0: 3</title><path class=s0 d=\"M68.6 172H136.73V21.02H68.6z\"/></g>"
        "<text class=v x=102.67 y=17.02 text-anchor=middle>3</text>"
        "<g><title>2: 1</title><path class=s0 d=\"M263.27 172H331.4V121.67H263.27z\"/></g>"
        "<text class=v x=297.33 y=117.67 text-anchor=middle>1</text><path class=x d=\"M54 172H346\"/>"
        "<text x=102.67 y=186 text-anchor=middle>0</text><text x=200 y=186 text-anchor=middle>1</text>"
        "<text x=297.33 y=186 text-anchor=middle>2</text><text class=a x=200 y=206 text-anchor=middle>edits</text>"
        "<text class=a transform=\"translate(10 95) rotate(-90)\" text-anchor=middle>hits</text></svg>");
}

TEST_CASE("page: logos") {
  const Json rows = Json::parse("[[1, 0, 0, 0], [0.25, 0.25, 0.25, 0.25], [0, 0, 3, 1], [], 7]");
  const LogoColumns columns = logo_columns(Value(rows));
  CHECK(consensus(columns) == "ANGNN");
  CHECK(holds(draw_logo(columns, "logo"), "A 100 %, C 0 %, G 0 %, T 0 %; 2 bits"));
  CHECK(draw_logo({}, "logo").empty());
}

TEST_CASE("page: guides above their places") {
  Json report = report_of("guides");
  report["parameters"] = {{"pam", "NGG,NAG"}};
  const auto aligned = [&](const char* sequence, const char* text, const char* side = "3prime") {
    report["plots"] = {{"pam_side", side}};
    const Json guide{{"sequence", sequence}};
    const Json place{{"text", text}};
    const AlignedPlace lines =
        aligned_place({.report = Value(report), .id = "", .genome = ""}, Value(guide), Value(place));
    return lines.guide + " " + lines.text;
  };
  CHECK(aligned("ACGTACGT", "ACGTACGTTGG") == "ACGTACGT... ACGTACGTTGG");
  CHECK(aligned("ACGTACGT", "acGTACGTTGG") == "ACGTACGT... ACGTACGTTGG");
  CHECK(aligned("ACGTACGT", "TCGTACGTTGG") == "ACGTACGT... tCGTACGTTGG");
  CHECK(aligned("ACGTTACG", "ACGTCTACGTGG") == "ACGT-TACG... ACGTCTACGTGG");
  CHECK(aligned("ACGTTACG", "ACGTACGTGG") == "ACGTTACG... ACG-TACGTGG");
  CHECK(aligned("ACGT", "TTTACGG", "5prime") == "...ACGT TTTACGg");
  CHECK(aligned("", "") == " ");
}

TEST_CASE("page: links to browsers of genomes") {
  CHECK(genome_links("", "chr1", 9, 20).empty());
  const std::string links = genome_links("hg38", "chrM", 9, 20);
  CHECK(holds(links, "http://localhost:60151/goto?locus=chrM:10-20"));
  CHECK(holds(links, "db=hg38&amp;position=chrM:10-20"));
  CHECK(holds(links, "https://www.ensembl.org/Homo_sapiens/Location/View?r=MT:10-20"));
  // Names of chromosomes and assemblies as each site calls them.
  const auto at = [](const char* genome, const char* record, const std::string& address) {
    return holds(genome_links(genome, record, 9, 20), address + ":10-20\"");
  };
  CHECK(at("GRCh38", "7", "hgTracks?db=hg38&amp;position=chr7"));
  CHECK(at("GRCh38", "7", "goto?locus=7"));
  CHECK(at("mm10", "chrX", "nov2020.archive.ensembl.org/Mus_musculus/Location/View?r=X"));
  CHECK(at("hg38", "chr1_KI270706v1_random", "Homo_sapiens/Location/View?r=KI270706.1"));
  CHECK(at("hg38", "KI270706.1", "hgTracks?db=hg38&amp;position=KI270706.1"));
  CHECK(at("sacCer3", "XIII", "position=chrXIII"));
  CHECK(at("sacCer3", "chrM", "Saccharomyces_cerevisiae/Location/View?r=Mito"));
  CHECK(at("ce11", "MtDNA", "position=chrM"));
  CHECK(at("dm6", "chr2L", "Drosophila_melanogaster/Location/View?r=2L"));
  CHECK(!holds(genome_links("hg38", "chr6_GL000250v2_alt", 9, 20), "ensembl"));
  CHECK(!holds(genome_links("oryLat2", "chr1", 9, 20), "ensembl"));
  CHECK(at("oryLat2", "1", "hgTracks?db=oryLat2&amp;position=1"));
  CHECK(!holds(genome_links("dog1", "a\"><b", 0, 1), "\"><b"));
}

TEST_CASE("page: reports that are none, or of another version") {
  CHECK_THROWS_WITH(parse_report("{", "a.json"),
                    "a.json: ends too early, after 1 byte: expected a whole report of basesweep (--json)");
  CHECK_THROWS_AS(parse_report("[1]", "a.json"), DataError);
  CHECK_THROWS_AS(parse_report(R"({"schema": 7})", "a.json"), DataError);
  CHECK_THROWS_AS(parse_report(R"({"schema": "basesweep-report/9"})", "a.json"), DataError);
  CHECK_THROWS_AS(render_page({{"a", Json::object()}}), DataError);
  CHECK_THROWS_AS(render_page({{"a", report_of("match")}}, {.title = "", .genome = "hg 38"}), UsageError);
}

TEST_CASE("page: every key may be missing or of another type") {
  const std::vector<Json> odd{nullptr,
                              true,
                              -1,
                              1e308,
                              18446744073709551615U,
                              "<i>\x01",
                              Json::array(),
                              Json::object(),
                              Json::array({1, Json::array({3, 1, 2}), "x"})};
  for (const char* command : {"motif", "match", "pcr", "pwm", "guides", "map", "demux", "trim", "count", "new", ""}) {
    CHECK(holds(page_of(report_of(command)), "</html>"));
    for (const char* key :
         {"command_line", "outputs", "parameters", "inputs", "patterns", "pairs", "matrices", "guides", "places",
          "reads", "samples", "mates", "filtered", "plots", "machine", "timings", "hits", "version"}) {
      for (const Json& value : odd) {
        Json report = report_of(command);
        report[key] = value;
        const std::string page = page_of(report);
        CHECK(holds(page, "</html>"));
        CHECK(!holds(page, "<i>\x01"));
      }
    }
  }
}

TEST_CASE("page: several runs") {
  Json report = report_of("motif");
  report["patterns"] = Json::array({{{"name", "EcoRI"}, {"counts", {{"+", 5}, {"-", 2}}}}});
  report["hits"] = 7;
  const std::string page = render_page({{"one", report}, {"two", report}}, {.title = "A & B", .genome = ""});
  CHECK(holds(page, "<title>A &amp; B</title>"));
  CHECK(holds(page, "2 runs of motif"));
  CHECK(holds(page, "<article class=run id=r2>"));
  CHECK(holds(page, "EcoRI, two: 7"));
  Json other = report;
  other["patterns"] = Json::array(
      {{{"name", "EcoRI"}, {"sequence", "GANTTC"}, {"counts", {{"+", 0}}}}, {{"name", "new"}, {"counts", {{"+", 1}}}}});
  const std::string both = render_page({{"one", report}, {"two", other}});
  CHECK(holds(both, "new, one: not searched"));
  CHECK(!holds(both, "EcoRI, two: not searched"));
  CHECK(holds(both, "Same name, but not the same sequence in all runs: EcoRI."));
}

}  // namespace basesweep::test_page
