// Text buffers, the walk through a batch, BED and TSV.
#include <algorithm>
#include <memory_resource>

#include "lib/base/dna.hpp"
#include "lib/oracle/trial/random.hpp"
#include "lib/rows/hits_of_batch.hpp"
#include "lib/search/edit_options.hpp"
#include "lib/search/packed_batch.hpp"
#include "lib/writer/line_formatter.hpp"
#include "tests/support/catch.hpp"

namespace basesweep::test_formatter {

namespace {

struct TestSegment {
  std::string name;
  std::int64_t record;
  std::int64_t offset;
  std::string letters;
};

// Segments with three filler positions after each.
std::unique_ptr<PackedBatch> make_batch(const std::vector<TestSegment>& segments) {
  constexpr std::uint32_t kCapacity = 4096;
  constexpr std::uint32_t kFiller = 3;
  auto batch = std::make_unique<PackedBatch>(kCapacity, 64, std::pmr::get_default_resource());
  for (const TestSegment& segment : segments) {
    batch->begin_segment(segment.name, segment.record, segment.offset, segment.record);
    for (const char letter : segment.letters) {
      const std::uint64_t lo = base_code(letter) & 1;
      const std::uint64_t hi = base_code(letter) >> 1;
      const std::uint32_t position = batch->positions();
      if (iupac_set(letter) == 0 || !is_single_base(iupac_set(letter))) {
        batch->add_letters({position, position + 1, letter});
      }
      batch->append(&lo, &hi, 0, 1);
    }
    batch->append_filler(kFiller);
  }
  batch->finish(0, batch->positions());
  return batch;
}

PatternSet approximate(std::vector<Pattern> patterns, std::uint32_t edits) {
  EditOptions options;
  options.edits = edits;
  return {std::move(patterns), StrandChoice::both, PalindromeChoice::once, options};
}

std::uint32_t query_of(const PatternSet& patterns, const std::string& name, Strand strand) {
  for (std::uint32_t i = 0; i < patterns.queries().size(); ++i) {
    const Query& query = patterns.queries()[i];
    if (patterns.patterns()[query.pattern].name == name && query.strand == strand) return i;
  }
  throw std::logic_error("no such entry");
}

PlacedHit placed(std::string_view name, std::int64_t start, const Hit& hit, std::string_view letters = "") {
  PlacedHit row = place_hit(name, 0, start, hit);
  row.letters = letters;
  return row;
}

std::string print(const Formatter& formatter, const PlacedHit& hit) {
  RowText text;
  formatter.append(hit, text);
  return std::string(text.view());
}

}  // namespace

TEST_CASE("Text keeps its content while it grows") {
  Text text;
  CHECK(text.view().empty());
  std::string expected;
  trial::Random random(1);
  for (int i = 0; i < 300; ++i) {
    const std::string more(random.below(50), static_cast<char>('a' + i % 26));
    if (random.chance(50)) {
      text.append(more);
    } else {
      char* to = text.reserve(more.size() + random.below(1000));  // may reserve more than it uses
      text.advance(std::copy(more.begin(), more.end(), to));
    }
    expected += more;
  }
  CHECK(text.view() == expected);
  text = {};
  CHECK(text.view().empty());
  text.append("x");
  CHECK(text.view() == "x");
}

TEST_CASE("hits of a batch are placed in their records") {
  const auto batch = make_batch({{"one", 4, 0, "ACGTACGT"}, {"one", 4, 900, "GGNNGG"}, {"", 5, 0, "TTTT"}});
  // Filler stands at positions 8-10 and 17-19.
  const std::vector<Hit> hits = {
      {0, 3, 0, 0, 0, 0}, {0, 4, 0, 0, 0, 0}, {5, 3, 0, 0, 0, 0}, {12, 3, 0, 1, 2, 1}, {22, 2, 0, 0, 0, 0}};
  struct Seen {
    std::string name;
    std::int64_t record, start, end;
    std::string letters;
    bool operator==(const Seen&) const = default;
  };
  std::vector<Seen> seen;
  for_each_hit(*batch, hits, true, [&](const PlacedHit& hit) {
    seen.push_back({std::string(hit.record_name), hit.record, hit.start, hit.end, std::string(hit.letters)});
  });
  const std::vector<Seen> expected = {{"one", 4, 0, 3, "ACG"},
                                      {"one", 4, 0, 4, "ACGT"},
                                      {"one", 4, 5, 8, "CGT"},
                                      {"one", 4, 901, 904, "GNN"},
                                      {"", 5, 2, 4, "TT"}};
  CHECK((seen == expected));

  const PatternSet patterns({{"p", "ACG"}}, StrandChoice::plus, PalindromeChoice::once);
  const auto bed = make_hit_formatter(patterns, OutputFormat::bed);
  CHECK(format_hits(*bed, *batch, {}).view().empty());
  CHECK(format_hits(*bed, *batch, std::span<const Hit>(hits).subspan(2, 1)).view() == "one\t5\t8\tp\t1000\t+\n");
  const std::vector<Hit> exact = {hits[0], hits[2], hits[4]};
  CHECK(format_hits(*bed, *batch, exact).view() ==
        "one\t0\t3\tp\t1000\t+\none\t5\t8\tp\t1000\t+\n\t2\t4\tp\t1000\t+\n");
}

TEST_CASE("BED: exact") {
  const PatternSet patterns({{"p 1", "ACG"}, {"q", "NAAA"}}, StrandChoice::both, PalindromeChoice::once);
  const auto bed = make_hit_formatter(patterns, OutputFormat::bed);
  CHECK(bed->header({}).empty());
  CHECK_FALSE(bed->needs_records());
  CHECK_FALSE(bed->needs_letters());
  CHECK(print(*bed, placed("chr", 7, {0, 3, query_of(patterns, "p 1", Strand::minus), 0, 0, 0})) ==
        "chr\t7\t10\tp 1\t1000\t-\n");
  const std::int64_t far = 5'000'000'000;
  CHECK(print(*bed, placed("chr", far, {0, 4, query_of(patterns, "q", Strand::plus), 0, 0, 0})) ==
        "chr\t5000000000\t5000000004\tq\t1000\t+\n");
}

TEST_CASE("BED: the score falls with the edits, rounded half up") {
  const PatternSet patterns = approximate({{"three", "ACG"}, {"sixteen", "ACGTACGTACGTACGG"}}, 2);
  const auto bed = make_hit_formatter(patterns, OutputFormat::bed);
  const auto score = [&](const std::string& name, std::uint16_t edits) {
    const Hit hit{0, 3, query_of(patterns, name, Strand::plus), 0, edits, 0};
    const std::string line = print(*bed, placed("r", 1, hit));
    const std::string start = "r\t1\t4\t" + name + "\t";
    REQUIRE(line.substr(0, start.size()) == start);
    REQUIRE(line.substr(line.size() - 3) == "\t+\n");
    return line.substr(start.size(), line.size() - 3 - start.size());
  };
  CHECK(score("three", 0) == "1000");
  CHECK(score("three", 1) == "667");
  CHECK(score("three", 2) == "333");
  CHECK(score("sixteen", 1) == "938");  // 937.5
  CHECK(score("sixteen", 2) == "875");
}

TEST_CASE("TSV: exact") {
  const PatternSet patterns({{"p", "RNG"}}, StrandChoice::both, PalindromeChoice::once);
  const auto tsv = make_hit_formatter(patterns, OutputFormat::tsv);
  CHECK(tsv->header({}) == "record\tstart\tend\tpattern\tstrand\tmatched\n");
  CHECK(tsv->needs_letters());
  CHECK_FALSE(tsv->needs_records());
  CHECK(print(*tsv, placed("r", 0, {0, 3, query_of(patterns, "p", Strand::plus), 0, 0, 0}, "ATG")) ==
        "r\t0\t3\tp\t+\tATG\n");
  CHECK(print(*tsv, placed("r", 0, {0, 3, query_of(patterns, "p", Strand::minus), 0, 0, 0}, "CAT")) ==
        "r\t0\t3\tp\t-\tATG\n");
}

TEST_CASE("TSV: approximate, with the alignment along the forward strand") {
  const PatternSet patterns = approximate({{"p", "AACCGGTT"}, {"q", "GATTACA"}}, 3);
  const auto tsv = make_hit_formatter(patterns, OutputFormat::tsv);
  CHECK(tsv->header({}) == "record\tstart\tend\tpattern\tstrand\tedits\tindels\tcigar\tmatched\n");
  const std::uint32_t plus = query_of(patterns, "q", Strand::plus);
  const std::uint32_t minus = query_of(patterns, "q", Strand::minus);  // TGTAATC
  CHECK(print(*tsv, placed("r", 9, {0, 7, plus, 0, 0, 0}, "GATTACA")) == "r\t9\t16\tq\t+\t0\t0\t7=\tGATTACA\n");
  CHECK(print(*tsv, placed("r", 9, {0, 7, plus, 0, 1, 0}, "GATNACA")) == "r\t9\t16\tq\t+\t1\t0\t3=1X3=\tGATNACA\n");
  CHECK(print(*tsv, placed("r", 9, {0, 8, minus, 0, 1, 1}, "TGTAACTC")) == "r\t9\t17\tq\t-\t1\t1\t5=1D2=\tGAGTTACA\n");
  CHECK(print(*tsv, placed("r", 9, {0, 6, minus, 0, 1, 1}, "GTAATC")) == "r\t9\t15\tq\t-\t1\t1\t1I6=\tGATTAC\n");
}

TEST_CASE("TSV: IUPAC letters of the text are complemented, other letters kept") {
  const PatternSet patterns = approximate({{"p", "AAAAAAAAAAAAAAAAAAAA"}}, 19);
  const auto tsv = make_hit_formatter(patterns, OutputFormat::tsv);
  const std::string letters = "ACGTRYSWKMBDHVNXE-*.";
  const Hit hit{0, 20, query_of(patterns, "p", Strand::minus), 0, 19, 0};
  const std::string line = print(*tsv, placed("r", 0, hit, letters));
  CHECK(line.substr(line.rfind('\t')) == "\t.*-EXNBDHVKMWSRYACGT\n");
}

}  // namespace basesweep::test_formatter
