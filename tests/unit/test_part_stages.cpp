// Rows of parts that no chunk writes, although they can be decoded, are refused before anything is made of them.
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "lib/base/error.hpp"
#include "lib/guides/place_codec.hpp"
#include "lib/guides/place_rows.hpp"
#include "lib/parts/part_rows.hpp"
#include "lib/pipeline/matrix_tables.hpp"
#include "lib/pipeline/part_hits.hpp"
#include "lib/pipeline/part_places.hpp"
#include "lib/pipeline/part_products.hpp"
#include "lib/products/product_codec.hpp"
#include "lib/products/product_rows.hpp"
#include "lib/report/chunk_summary.hpp"
#include "lib/rows/hit_codec.hpp"
#include "lib/rows/hit_rows.hpp"
#include "lib/search/edit_options.hpp"
#include "lib/search/match_result.hpp"
#include "lib/writer/line_formatter.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/files.hpp"

namespace basesweep::test_part_stages {

using Catch::Matchers::ContainsSubstring;

namespace {

constexpr int kThreads = 2;
constexpr std::int64_t kLength = 100;  // of the record

struct StringSink final : ByteSink {
  void write(std::string_view text) override { bytes += text; }
  std::string bytes;
};

// Writes the only part of a run on one record, with these rows; returns its path. `summaries`: how many it has.
template <class OneRow>
std::string write_part(const support::ScratchFolder& folder, const std::vector<OneRow>& rows, int summaries = 1,
                       unsigned needs = need::letters) {
  StringSink sink;
  PartWriter writer(sink);
  PartHead head{.label = {"1", "command=match", "plan", 1, 1}, .inputs = {"x.fa"}};
  head.records = {{"chr1", kLength}};
  write_head(head, writer);
  const PartRows<OneRow> encoder(needs);
  RowText text;
  for (const OneRow& row : rows) encoder.append(row, text);
  encoder.finish(text);
  PartSink(writer).write(text.view());
  for (int i = 0; i < summaries; ++i) writer.add_section(kPartSummary, "{}");
  writer.finish();
  std::string path = folder.path("part.bsp");
  support::write_file(path, sink.bytes);
  return path;
}

// Checks that merging is refused by a message that names the part.
void check_refused(const std::string& path, const std::function<void(PartSet&)>& merge) {
  PartSet parts({path});
  CHECK_THROWS_AS(merge(parts), DataError);
  CHECK_THROWS_WITH(([&] {
                      PartSet again({path});
                      merge(again);
                    }()),
                    ContainsSubstring("part.bsp: the part is damaged: it has a row that cannot be"));
}

PlacedHit make_hit(const PatternSet& patterns) {
  PlacedHit hit = place_hit("chr1", 0, 10, {0, 8, 0, 0, 0, 0});
  while (patterns.queries()[hit.hit.query].strand != Strand::plus) hit.hit.query = hit.hit.query + 1;
  hit.letters = "GATTACAG";
  return hit;
}

std::string merge_hits(PartSet& parts, const PatternSet& patterns) {
  const auto formatter = make_hit_formatter(patterns, OutputFormat::tsv, {.files = {"x.fa"}}, {});
  StringSink sink;
  run_part_hits({.select = {.by_source = true}, .threads = kThreads}, parts, patterns, {{formatter.get(), &sink}});
  return sink.bytes;
}

}  // namespace

TEST_CASE("part rows: hits that cannot be", "[parts]") {
  const support::ScratchFolder folder;
  const PatternSet patterns({{"p", "GATTACAG"}}, StrandChoice::both, PalindromeChoice::once, {.edits = 2});
  const PlacedHit good = make_hit(patterns);
  PartSet whole({write_part<PlacedHit>(folder, {good})});
  CHECK_THAT(merge_hits(whole, patterns), ContainsSubstring("chr1\t10\t18\tp\t+\t0\t0\t8=\tGATTACAG\n"));
  const auto refused = [&](const std::function<void(PlacedHit&)>& change) {
    PlacedHit hit = good;
    change(hit);
    check_refused(write_part<PlacedHit>(folder, {good, hit}), [&](PartSet& parts) { merge_hits(parts, patterns); });
  };
  refused([](PlacedHit& hit) { hit.hit.query = 77; });
  refused([](PlacedHit& hit) { hit.source = 1; });
  refused([](PlacedHit& hit) { hit.source = 1U << 31; });
  refused([](PlacedHit& hit) { hit.record = 1; });
  refused([](PlacedHit& hit) { hit.record = -1; });
  refused([](PlacedHit& hit) { hit.start = -1, hit.end = 7; });
  refused([](PlacedHit& hit) { hit.start = 93, hit.end = 101; });  // past the record
  refused([](PlacedHit& hit) { hit.end = 17; });
  refused([](PlacedHit& hit) { hit.circular_length = 12; });  // of another record
  refused([](PlacedHit& hit) { hit.letters = "GATTACA"; });
  refused([](PlacedHit& hit) { hit.letters = ""; });
  refused([](PlacedHit& hit) { hit.hit.length = 7, hit.end = 17, hit.letters = "GATTACA"; });  // without an indel
  refused([](PlacedHit& hit) { hit.hit.edits = 3; });
  refused([](PlacedHit& hit) { hit.hit.edits = hit.hit.indels = 1; });  // with another length
  refused([](PlacedHit& hit) { hit.hit.indels = 2; });                  // of no edits
  refused([](PlacedHit& hit) { hit.hit.hang_left = 8; });
  // A fault that only the alignment shows.
  PlacedHit other = good;
  other.hit.edits = other.hit.indels = 2;
  PartSet parts({write_part<PlacedHit>(folder, {other})});
  CHECK_THROWS_WITH(merge_hits(parts, patterns),
                    ContainsSubstring("part.bsp: the part is damaged: a hit has other edits than it says"));
}

TEST_CASE("part rows: a part has one summary", "[parts]") {
  const support::ScratchFolder folder;
  const PatternSet patterns({{"p", "GATTACAG"}}, StrandChoice::both, PalindromeChoice::once, {.edits = 2});
  for (const int summaries : {0, 2}) {
    PartSet parts({write_part<PlacedHit>(folder, {make_hit(patterns)}, summaries)});
    CHECK_THROWS_WITH(merge_hits(parts, patterns), ContainsSubstring("part.bsp: the part is damaged: it has "));
  }
}

TEST_CASE("part rows: products that cannot be", "[parts]") {
  const support::ScratchFolder folder;
  const PrimerSet primers(
      {{.name = "a", .forward = "ACGTG", .reverse = "TTGAC", .forward_name = "F", .reverse_name = "R"}}, {});
  const PatternSet patterns(primers.patterns(), StrandChoice::both, PalindromeChoice::both, {.edits = 1});
  const auto formatter = make_line_formatter(
      std::make_shared<ProductRows>(primers, patterns, ProductDetails{.files = {"x.fa"}}), OutputFormat::tsv, {});
  const auto merge = [&](PartSet& parts) {
    StringSink sink;
    run_part_products({.by_source = true}, kThreads, parts, primers, patterns, {formatter.get(), &sink});
    return sink.bytes;
  };
  const auto site = [&](std::uint32_t pattern, Strand strand, std::uint32_t position) {
    Hit hit{position, 5, 0, 0, 0, 0};
    while (patterns.queries()[hit.query].pattern != pattern || patterns.queries()[hit.query].strand != strand) {
      hit.query = hit.query + 1;
    }
    return hit;
  };
  PlacedProduct good;
  good.record_name = "chr1";
  good.start = 20;
  good.end = 32;
  good.letters = "ACGTGGCGTCAA";
  good.join = primers.partners(primers.primers()[0].pattern).front().join;
  good.left = site(primers.primers()[0].pattern, Strand::plus, 40);
  good.right = site(primers.primers()[1].pattern, Strand::minus, 47);
  PartSet whole({write_part<PlacedProduct>(folder, {good})});
  CHECK_THAT(merge(whole), ContainsSubstring("chr1\t20\t32\ta\t+\t12\tF\t"));
  const auto refused = [&](const std::function<void(PlacedProduct&)>& change) {
    PlacedProduct product = good;
    change(product);
    check_refused(write_part<PlacedProduct>(folder, {good, product}), [&](PartSet& parts) { merge(parts); });
  };
  refused([](PlacedProduct& product) { product.letters = ""; });
  refused([](PlacedProduct& product) { product.record = 1; });
  refused([](PlacedProduct& product) { product.source = 1; });
  refused([](PlacedProduct& product) { product.start = 95; });
  refused([](PlacedProduct& product) { product.join.second = 1; });
  refused([](PlacedProduct& product) { product.left.query = 77; });
  refused([](PlacedProduct& product) { product.left.length = 3; });
  refused([](PlacedProduct& product) { product.right.edits = 2; });
  refused([&](PlacedProduct& product) { product.probe = Hit{42, 3, good.left.query, 0, 0, 0}; });
}

TEST_CASE("part rows: places of guides that cannot be", "[parts]") {
  const support::ScratchFolder folder;
  const GuideSet guides({{"one", "ACGTTGCATGCCTAGGATCA"}}, {{"NGG"}, PamSide::three_prime, PamInGuide::no},
                        {.mismatches = 1});
  const auto formatter =
      make_line_formatter(std::make_shared<PlaceRows>(guides, std::vector<std::string>{"x.fa"}), OutputFormat::tsv, {});
  const auto merge = [&](PartSet& parts) {
    StringSink sink;
    run_part_places(parts, guides, {.formatter = formatter.get(), .sink = &sink}, kThreads);
    return sink.bytes;
  };
  PlacedGuide good;
  good.record_name = "chr1";
  good.start = 50;
  good.end = 73;
  good.letters = "ACGTTGCATGCCTAGGATCAAGG";
  PartSet whole({write_part<PlacedGuide>(folder, {good})});
  CHECK_THAT(merge(whole), ContainsSubstring("ACGTTGCATGCCTAGGATCAAGG\tchr1\t50\t+\t0\t0"));
  const std::vector<Feature> features{{5, 90, 0, 3}};
  const auto refused = [&](const std::function<void(PlacedGuide&)>& change) {
    PlacedGuide place = good;
    change(place);
    check_refused(write_part<PlacedGuide>(folder, {good, place}), [&](PartSet& parts) { merge(parts); });
  };
  refused([](PlacedGuide& place) { place.place.guide = 1; });
  refused([](PlacedGuide& place) { place.place.pam = 1; });
  refused([](PlacedGuide& place) { place.record = 1; });
  refused([](PlacedGuide& place) { place.source = 1; });
  refused([](PlacedGuide& place) { place.start = 90, place.end = 113; });
  refused([](PlacedGuide& place) { place.letters.remove_suffix(1); });
  refused([](PlacedGuide& place) { place.place.shape = {Bulge::dna, 0, 5, 0}; });
  refused([](PlacedGuide& place) { place.place.shape = {Bulge::rna, 20, 1, 0}; });
  refused([&](PlacedGuide& place) { place.features = features; });
}

TEST_CASE("part rows: counts that cannot be", "[parts]") {
  const CountShape shape{.queries = 2, .inputs = 3, .max_edits = 1};
  const ChunkSummary good{
      .report = "{}", .counts = {{4, 0}}, .fine = {true, true, 2, {{1, 1, 0, 0}, {}, {2, 0, 0, 0}}}};
  ChunkSummary sum;
  add_counts(good, "1.bsp", shape, sum);
  add_counts(good, "2.bsp", shape, sum);
  CHECK(*sum.counts == std::vector<std::uint64_t>{8, 0});
  CHECK(sum.fine.at(0, 0, 1) == 2);
  CHECK(sum.fine.at(1, 1, 1) == 0);
  CHECK(sum.fine.at(2, 0, 0) == 4);
  const auto refused = [&](const std::function<void(ChunkSummary&)>& change) {
    ChunkSummary summary = good;
    change(summary);
    ChunkSummary alone;
    CHECK_THROWS_WITH(add_counts(summary, "3.bsp", shape, alone), ContainsSubstring("3.bsp: the part is damaged"));
    ChunkSummary again = sum;
    CHECK_THROWS_AS(add_counts(summary, "3.bsp", shape, again), DataError);
  };
  refused([](ChunkSummary& summary) { summary.counts.reset(); });
  refused([](ChunkSummary& summary) { summary.counts->clear(); });
  refused([](ChunkSummary& summary) { summary.counts->push_back(1); });
  refused([](ChunkSummary& summary) { summary.fine.width = 1; });
  refused([](ChunkSummary& summary) { summary.fine.by_edits = false; });
  refused([](ChunkSummary& summary) { summary.fine.by_source = false; });
  refused([](ChunkSummary& summary) { summary.fine.counts.emplace_back(); });
  refused([](ChunkSummary& summary) { summary.fine.counts[2].pop_back(); });
  ChunkSummary plain = good;
  plain.fine = {};
  CHECK_THROWS_AS(add_counts(plain, "3.bsp", shape, sum), DataError);  // the others counted by input
}

TEST_CASE("part rows: rows of matrices that cannot be", "[parts]") {
  const support::ScratchFolder folder;
  FileMatrix matrix;
  matrix.id = "m";
  matrix.columns = {{9, 1, 1, 1}, {1, 9, 1, 1}};
  const MatrixSet matrices({matrix}, {});
  const std::vector<std::int32_t> cells{3, 4};
  for (const bool regions : {false, true}) {
    const auto formatter = make_line_formatter(std::make_shared<MatrixTableRows>(matrices, TableCell::count, regions),
                                               OutputFormat::tsv, {});
    const auto merge = [&](PartSet& parts) {
      StringSink sink;
      merge_tables(parts, 1, TableCell::count, regions, *formatter, sink);
      return sink.bytes;
    };
    MatrixTableRow good;
    good.record_name = "chr1";
    good.cells = std::span(cells).first(1);
    PartSet whole({write_part<MatrixTableRow>(folder, {good, good})});
    CHECK_THAT(merge(whole), ContainsSubstring(regions ? "chr1\t0\t0\t.\t6\n" : "chr1\t6\n"));
    const auto refused = [&](const std::function<void(MatrixTableRow&)>& change) {
      MatrixTableRow row = good;
      change(row);
      check_refused(write_part<MatrixTableRow>(folder, {good, row}), [&](PartSet& parts) { merge(parts); });
    };
    refused([&](MatrixTableRow& row) { row.cells = cells; });
    refused([&](MatrixTableRow& row) { row.record = -1; });
    if (regions) {
      refused([](MatrixTableRow& row) { row.record = 2; });
      refused([](MatrixTableRow& row) { row.end = 1; });
    } else {
      refused([](MatrixTableRow& row) { row.record = 1; });
      refused([](MatrixTableRow& row) { row.source = 1; });
    }
  }
}

}  // namespace basesweep::test_part_stages
