// Rows and totals of `guides` and `map` in parts are read as they were written, and what cannot be is refused.
#include <algorithm>
#include <string>
#include <vector>

#include "lib/base/error.hpp"
#include "lib/guides/place_codec.hpp"
#include "lib/oracle/trial/generate.hpp"
#include "lib/pipeline/guide_totals.hpp"
#include "lib/rows/row_block.hpp"
#include "lib/search/match_result.hpp"
#include "lib/search/packed_batch.hpp"
#include "lib/writer/alignment_rows.hpp"
#include "tests/support/catch.hpp"

namespace basesweep::test_part_rows {

namespace {

template <class Row>
RowBlock encode(const std::vector<Row>& rows) {
  RowBlockBuilder builder;
  for (const Row& row : rows) builder.add(row);
  return builder.take();
}

// Decodes the block with some bytes changed, often; `use` takes rows that can be decoded.
template <class Row, class Use>
void change(const RowBlock& block, const Use& use) {
  trial::Random random(3);
  for (int i = 0; i < 5'000; ++i) {
    std::string bytes(block.bytes.view());
    for (std::uint64_t n = random.between(1, 3); n != 0; --n) {
      bytes[random.below(bytes.size())] = static_cast<char>(random.bits());
    }
    RowBlock changed{block.rows, {}};
    changed.bytes.append(bytes);
    try {
      const DecodedRows<Row> decoded(std::move(changed));
      for (const Row& row : decoded.rows()) use(row);
    } catch (const RowFault&) {
    }
  }
}

bool same(const Feature& a, const Feature& b) {
  return a.begin == b.begin && a.end == b.end && a.kind == b.kind && a.name == b.name;
}

bool same(const std::optional<PlaceScores>& a, const std::optional<PlaceScores>& b) {
  return a.has_value() == b.has_value() && (!a || (a->mit == b->mit && a->cfd == b->cfd));
}

std::vector<PlacedGuide> random_places(std::span<const Feature> features) {
  trial::Random random(1);
  std::vector<PlacedGuide> places;
  for (std::uint32_t i = 0; i < 2'000; ++i) {
    PlacedGuide place;
    place.record = i / 50;
    place.record_name = i / 50 % 2 == 0 ? "even" : "odd";
    place.source = i / 500;
    place.start = static_cast<std::int64_t>(random.below(100'000));
    place.end = place.start + 23;
    place.letters = std::string_view("ACGTTGCATGCCTAGGATCAAGG").substr(i % 9);
    place.place.guide = static_cast<std::uint32_t>(random.below(1'000'000));
    place.place.pam = static_cast<std::uint8_t>(i % 3);
    place.place.strand = i % 2 == 0 ? Strand::plus : Strand::minus;
    if (i % 4 != 0) place.place.shape = {i % 4 == 1 ? Bulge::dna : Bulge::rna, 2, 7, 0};
    place.place.shape.mismatches = static_cast<std::uint8_t>(i % 5);
    if (i % 5 != 0) place.scores = PlaceScores{std::nullopt, i * 500};
    if (i % 5 == 1) place.scores->mit = i;
    place.features = features.first(i % (features.size() + 1));
    places.push_back(place);
  }
  return places;
}

// Records as `map` writes them.
std::vector<AlignmentRow> random_alignments(std::span<const CigarRun> cigar, const std::vector<RecordInfo>& records) {
  std::vector<AlignmentRow> rows;
  for (int i = 0; i < 300; ++i) {
    SamRecord& record = rows.emplace_back().record;
    record.name = i % 2 == 0 ? "read" : "another";
    record.letters = std::string_view("ACGTNRYACG").substr(i % 10);
    if (i % 3 != 0) record.qualities = std::string_view("IIII!!~~##").substr(i % 10);
    record.flag = static_cast<unsigned>(i % 7);
    if (i % 4 != 0) record.last_tags = "\tBC:Z:AC-G\tXF:f:1.50\tXI:i:+7";
    if (i % 5 == 0) continue;
    const auto place = [&](std::int32_t reference, std::int64_t start) {
      return SamPlace{reference, records[static_cast<std::size_t>(reference)].name, start};
    };
    record.place = place(i % 2, i % 90);
    if (i % 6 == 0) record.mate = place(1, 5);
    record.template_length = i % 6 == 0 ? -i : 0;
    record.end = i % 90 + 9;
    record.mapq = static_cast<unsigned>(i % 60);
    record.cigar = cigar;
    record.alignment = {.differences = 2, .text = "3A1^C0", .score = -i, .found = i * 1000, .edits = 3};
  }
  return rows;
}

// Returns the output of append_sam() or append_bam() for a record without the use of parts. `tags`: as BAM has them.
std::string direct(SamRecord record, std::span<const CigarRun> cigar, std::string_view tags, bool binary) {
  if (!record.cigar.empty()) record.cigar = cigar;
  record.read_group = "g";
  if (binary && !record.last_tags.empty()) record.last_tags = tags;
  Text text;
  binary ? append_bam(record, text) : append_sam(record, text);
  return std::string(text.view());
}

}  // namespace

TEST_CASE("part rows: places of guides") {
  const std::vector<Feature> features{{5, 90, 0, 3}, {7, 7, 2, 0}};
  const std::vector<PlacedGuide> places = random_places(features);
  const RowBlock block = encode(places);
  const DecodedRows<PlacedGuide> decoded(RowBlock{block.rows, [&] {
                                                    Text copy;
                                                    copy.append(block.bytes.view());
                                                    return copy;
                                                  }()});
  REQUIRE(decoded.rows().size() == places.size());
  for (std::size_t i = 0; i < places.size(); ++i) {
    const PlacedGuide& a = decoded.rows()[i];
    const PlacedGuide& b = places[i];
    REQUIRE((a.record == b.record && a.record_name == b.record_name && a.source == b.source && a.start == b.start &&
             a.end == b.end && a.letters == b.letters && a.place.guide == b.place.guide && a.place.pam == b.place.pam &&
             a.place.strand == b.place.strand && a.place.shape == b.place.shape));
    REQUIRE(same(a.scores, b.scores));
    REQUIRE(std::ranges::equal(a.features, b.features, [](const auto& x, const auto& y) { return same(x, y); }));
  }
  change<PlacedGuide>(encode(std::vector(places.begin(), places.begin() + 40)), [](const PlacedGuide&) {});
}

TEST_CASE("part rows: alignments become the same SAM and BAM") {
  const std::vector<CigarRun> cigar{{3, '='}, {1, 'X'}, {2, 'I'}, {4, '='}};
  const std::vector<CigarRun> joined{{4, 'M'}, {2, 'I'}, {4, 'M'}};
  const std::vector<RecordInfo> records{{"chr1", 100}, {"chr2", 200}};
  const std::vector<AlignmentRow> rows = random_alignments(cigar, records);
  const RowBlock block = encode(rows);
  const std::string_view bytes = block.bytes.view();
  const std::string tags("BCZAC-G\0XFf\0\0\xc0\x3fXIC\7", 19);
  for (const bool binary : {false, true}) {
    for (const bool distinguish : {false, true}) {
      const AlignmentFormatter formatter(records, {.binary = binary, .distinguish = distinguish, .read_group = "g"});
      std::pmr::monotonic_buffer_resource lists;
      RowDecoder<AlignmentRow> decoder(bytes, &lists);
      AlignmentRow row;
      for (const AlignmentRow& expected : rows) {
        REQUIRE(decoder.next(row));
        REQUIRE(formatter.can_be(row));
        RowText text;
        formatter.append(row, text);
        REQUIRE(text.view() == direct(expected.record, distinguish ? cigar : joined, tags, binary));
      }
    }
  }
  const AlignmentFormatter formatter(records, {.binary = true, .distinguish = false, .read_group = ""});
  AlignmentRow bad = rows.front();
  bad.record.last_tags = "\tXI:i:x";
  RowText unused;
  CHECK_THROWS_AS(formatter.append(bad, unused), DataError);
  change<AlignmentRow>(block, [&](const AlignmentRow& row) {
    RowText text;
    try {
      if (formatter.can_be(row)) formatter.append(row, text);
    } catch (const std::runtime_error&) {  // a tag that is none
    }
  });
}

TEST_CASE("part rows: totals of guides that cannot be") {
  const GuideSet guides({{"one", "ACGTTGCATGCCTAGGATCA"}, {"two", "ACGTTGCATGCCTAGG"}},
                        {{"NGG"}, PamSide::three_prime, PamInGuide::no}, {.mismatches = 1});
  const NearPlace exact{0, 0, 7, 20, 43, Strand::minus, "chr1", {}};
  const NearPlace near{0, 1, 7, 1, 24, Strand::plus, "chr1", {}};
  const auto printed = [&](const GuideTotals& one) {
    GuideTable table(guides);
    table.add(0, one);
    return print_totals(table, guides);
  };
  const GuideTotals good{{1, 1}, kFullScore + 5, kFullScore + 3, kFullScore, {exact, near}, {}};
  GuideTable sum(guides);
  add_totals(printed(good), "1.bsp", guides, sum);
  add_totals(printed({{0, 1}, 4, 2, 0, {near}, {}}), "2.bsp", guides, sum);
  CHECK(sum.totals(0).counts == std::vector<std::uint64_t>{1, 2});
  CHECK(sum.totals(0).mit == kFullScore + 9);
  REQUIRE(sum.totals(0).nearest.size() == 2);
  CHECK(sum.totals(0).nearest.front().strand == Strand::minus);
  CHECK(sum.totals(0).nearest.front().record_name == "chr1");
  const auto refused = [&](const GuideTotals& totals) {
    GuideTable table(guides);
    CHECK_THROWS_AS(add_totals(printed(totals), "1.bsp", guides, table), DataError);
  };
  refused({{1, 1}, 5, 5, 5, {exact, near}, {}});                                         // no MIT score of the copy
  refused({{1, 1}, kFullScore, 5, kFullScore, {exact, near}, {}});                       // more than the sum
  refused({{1, 1}, std::uint64_t{1} << 63, kFullScore, kFullScore, {exact, near}, {}});  // far too much
  refused({{1, 1}, kFullScore, kFullScore, kFullScore, {exact}, {}});                    // a place is not named
  refused({{0, 0}, 0, 0, 0, {near}, {}});                                                // there is none
  const std::string whole = printed(good);
  for (const std::string& bytes : {whole.substr(0, whole.size() - 1), whole + '\0', std::string()}) {
    GuideTable table(guides);
    CHECK_THROWS_AS(add_totals(bytes, "1.bsp", guides, table), DataError);
  }
}

}  // namespace basesweep::test_part_rows
