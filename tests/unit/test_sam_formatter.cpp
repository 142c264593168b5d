// SAM and BAM agree with the specification and with samtools calmd. Read back with HTSlib.
#include <htslib/sam.h>

#include <algorithm>

#include "lib/base/error.hpp"
#include "lib/search/edit_options.hpp"
#include "lib/search/packed_batch.hpp"
#include "lib/search/pattern_set.hpp"
#include "lib/writer/output_file.hpp"
#include "lib/writer/sam_formatter.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/files.hpp"
#include "tests/support/sam_file.hpp"

namespace basesweep::test_sam_formatter {

using Catch::Matchers::Equals;

namespace {

const std::vector<RecordInfo> kRecords = {{"chr1", 1000}, {"HLA-A*01:01", 2'147'483'647}, {"empty", 0}};

PatternSet approximate(std::vector<Pattern> patterns, std::uint32_t edits) {
  EditOptions options;
  options.edits = edits;
  return {std::move(patterns), StrandChoice::both, PalindromeChoice::once, options};
}

// A hit of a pattern and its text.
struct Case {
  std::string pattern;
  Strand strand;
  bool first;
  std::uint16_t edits;
  std::string letters;
  std::string line;     // the SAM line from FLAG on, without MAPQ, mate fields and QUAL
  std::string precise;  // CIGAR with = and X
};

const std::vector<Pattern> kPatterns = {{"p", "GATTACA"}, {"degenerate", "GARNUY"}, {"!long=name*", "AAAACCCCGGGGT"}};

// Reverse complements: TGTAATC, RANYTC, ACCCCGGGGTTTT.
const std::vector<Case> kCases = {
    {"p", Strand::plus, true, 0, "GATTACA", "0 chr1 7M GATTACA NM:i:0 MD:Z:7 XE:i:0", "7="},
    {"p", Strand::plus, false, 0, "GATTACA", "256 chr1 7M GATTACA NM:i:0 MD:Z:7 XE:i:0", "7="},
    {"p", Strand::minus, true, 0, "TGTAATC", "16 chr1 7M TGTAATC NM:i:0 MD:Z:7 XE:i:0", "7="},
    {"p", Strand::minus, false, 1, "TGTCATC", "272 chr1 7M TGTAATC NM:i:1 MD:Z:3C3 XE:i:1", "3=1X3="},
    {"p", Strand::plus, true, 2, "GCCTACA", "0 chr1 7M GATTACA NM:i:2 MD:Z:1C0C4 XE:i:2", "1=2X4="},
    {"p", Strand::plus, true, 1, "NATTACA", "0 chr1 7M GATTACA NM:i:1 MD:Z:0N6 XE:i:1", "1X6="},
    {"p", Strand::plus, true, 1, "GATTACM", "0 chr1 7M GATTACA NM:i:1 MD:Z:6M0 XE:i:1", "6=1X"},
    {"p", Strand::minus, true, 1, "TGTAACTC", "16 chr1 5M1D2M TGTAATC NM:i:1 MD:Z:5^C2 XE:i:1", "5=1D2="},
    {"p", Strand::plus, true, 1, "GATACA", "0 chr1 2M1I4M GATTACA NM:i:1 MD:Z:6 XE:i:1", "2=1I4="},
    {"degenerate", Strand::plus, true, 0, "GAACTC", "0 chr1 6M GARNTY NM:i:3 MD:Z:2A0C1C0 XE:i:0", "6="},
    {"degenerate", Strand::minus, true, 0, "AAGTTC", "16 chr1 6M RANYTC NM:i:3 MD:Z:0A1G0T2 XE:i:0", "6="},
    // For samtools equal codes match, except N. We count all letters but A, C, G, T as edits.
    {"degenerate", Strand::plus, true, 2, "GARNTC", "0 chr1 6M GARNTY NM:i:2 MD:Z:3N1C0 XE:i:2", "2=2X2="},
    {"!long=name*", Strand::plus, true, 2, "AAAACCCCTAGGGT", "0 chr1 8M1D5M AAAACCCCGGGGT NM:i:2 MD:Z:8^T0A4 XE:i:2",
     "8=1D1X4="},
    {"!long=name*", Strand::minus, true, 0, "ACCCCGGGGTTTT", "16 chr1 13M ACCCCGGGGTTTT NM:i:0 MD:Z:13 XE:i:0", "13="},
};

std::uint16_t indels_of(const std::string& cigar) {
  unsigned indels = 0;
  for (std::size_t at = 0; at < cigar.size();) {
    std::size_t digits = 0;
    const unsigned long length = std::stoul(cigar.substr(at), &digits);
    at += digits;
    if (cigar[at] == 'I' || cigar[at] == 'D') indels += static_cast<unsigned>(length);
    ++at;
  }
  return static_cast<std::uint16_t>(indels);
}

PlacedHit placed(const PatternSet& patterns, const Case& c, std::int64_t start, std::int64_t record = 0) {
  for (std::uint32_t i = 0; i < patterns.queries().size(); ++i) {
    const Query& query = patterns.queries()[i];
    if (patterns.patterns()[query.pattern].name != c.pattern || query.strand != c.strand) continue;
    const Hit hit{0, static_cast<std::uint32_t>(c.letters.size()), i, c.first ? 1U : 0U, c.edits, indels_of(c.precise)};
    PlacedHit row = place_hit(kRecords[static_cast<std::size_t>(record)].name, record, start, hit);
    row.letters = c.letters;
    return row;
  }
  throw std::logic_error("no such entry");
}

std::string print(const Formatter& formatter, const PlacedHit& hit) {
  RowText text;
  formatter.append(hit, text);
  return std::string(text.view());
}

}  // namespace

TEST_CASE("SAM: the header") {
  const PatternSet patterns = approximate(kPatterns, 3);
  const std::string lines =
      "@HD\tVN:1.6\tSO:coordinate\n@SQ\tSN:chr1\tLN:1000\n@SQ\tSN:HLA-A*01:01\tLN:2147483647\n@SQ\tSN:empty\tLN:0\n";
  const std::string program = "@PG\tID:basesweep\tPN:basesweep\tVN:" BASESWEEP_VERSION;
  SamOptions options;
  CHECK(make_sam_formatter(make_hit_sam(patterns, false), options)->header(kRecords) == lines + program + "\n");
  options.command_line = "basesweep match -k\t2\n";
  const auto formatter = make_sam_formatter(make_hit_sam(patterns, false), options);
  CHECK(formatter->header(kRecords) == lines + program + "\tCL:basesweep match -k 2 \n");
  CHECK(formatter->header({}) == "@HD\tVN:1.6\tSO:coordinate\n" + program + "\tCL:basesweep match -k 2 \n");
  CHECK(formatter->needs_records());
  CHECK(formatter->needs_letters());
  options.program = false;
  CHECK(make_sam_formatter(make_hit_sam(patterns, false), options)->header(kRecords) == lines);
}

TEST_CASE("SAM: alignments") {
  const PatternSet patterns = approximate(kPatterns, 3);
  const auto formatter = make_sam_formatter(make_hit_sam(patterns, false), {});
  for (const Case& c : kCases) {
    std::string expected = c.pattern + " " + c.line + "\n";
    std::replace(expected.begin(), expected.end(), ' ', '\t');
    const std::size_t cigar = expected.find("\tchr1\t") + 6;
    expected.insert(expected.find('\t', expected.find('\t', cigar) + 1), "\t*");
    expected.insert(expected.find('\t', cigar), "\t*\t0\t0");
    expected.insert(cigar, "78\t255\t");
    CHECK(print(*formatter, placed(patterns, c, 77)) == expected);
  }
}

TEST_CASE("SAM: = and X") {
  const PatternSet patterns = approximate(kPatterns, 3);
  const auto formatter = make_sam_formatter(make_hit_sam(patterns, true), {});
  const auto plain = make_sam_formatter(make_hit_sam(patterns, false), {});
  for (const Case& c : kCases) {
    const auto fields = [&](const Formatter& f) {
      const std::string line = print(f, placed(patterns, c, 77));
      const std::size_t cigar = line.find("\t255\t") + 5;
      const std::size_t end = line.find('\t', cigar);
      return std::pair(line.substr(cigar, end - cigar), line.substr(0, cigar) + line.substr(end));
    };
    CHECK(fields(*formatter).first == c.precise);
    CHECK(fields(*formatter).second == fields(*plain).second);
  }
}

TEST_CASE("BAM holds what HTSlib makes of our SAM") {
  const PatternSet patterns = approximate(kPatterns, 3);
  const support::ScratchFolder folder;
  for (const bool distinguish : {false, true}) {
    SamOptions options{false, true, "basesweep match -k 3"};
    for (const bool binary : {false, true}) {
      options.binary = binary;
      const auto formatter = make_sam_formatter(make_hit_sam(patterns, distinguish), options);
      OutputFile file(folder.path(binary ? "a.bam" : "a.sam"), 1,
                      binary ? OutputCompression::bgzf : OutputCompression::none);
      file.write(formatter->header(kRecords));
      RowText text;
      for (std::int64_t record = 0; record < 2; ++record) {
        std::int64_t start = 0;
        for (const Case& c : kCases) {
          formatter->append(placed(patterns, c, start), text);
          start += record == 0 ? 40 : 163'000'000;  // some beyond 2^29
        }
      }
      file.write(text.view());
      file.commit();
    }
    const support::SamContent sam = support::read_sam(folder.path("a.sam"));
    const support::SamContent bam = support::read_sam(folder.path("a.bam"));
    CHECK(std::string(sam_hdr_str(sam.header.get())) == sam_hdr_str(bam.header.get()));
    REQUIRE(sam_hdr_nref(bam.header.get()) == static_cast<int>(kRecords.size()));
    for (int i = 0; i < sam_hdr_nref(bam.header.get()); ++i) {
      CHECK(sam_hdr_tid2name(bam.header.get(), i) == kRecords[static_cast<std::size_t>(i)].name);
      CHECK(sam_hdr_tid2len(bam.header.get(), i) == kRecords[static_cast<std::size_t>(i)].length);
    }
    REQUIRE(sam.records.size() == 2 * kCases.size());
    REQUIRE(bam.records.size() == sam.records.size());
    for (std::size_t i = 0; i < sam.records.size(); ++i) {
      INFO("record " << i);
      CHECK(support::same(*sam.records[i], *bam.records[i]));
    }
  }
}

TEST_CASE("BAM: numbers that need more than a byte") {
  const std::string letters(300, 'A');
  const PatternSet patterns = approximate({{"p", letters}}, 299);
  const Case c{"p", Strand::plus, true, 299, std::string(299, 'N') + "A", "", ""};
  const support::ScratchFolder folder;
  SamOptions options;
  options.binary = true;
  const auto formatter = make_sam_formatter(make_hit_sam(patterns, false), options);
  OutputFile file(folder.path("a.bam"), 1, OutputCompression::bgzf);
  file.write(formatter->header(kRecords));
  file.write(print(*formatter, placed(patterns, c, 600, 0)));
  file.commit();
  const support::SamContent bam = support::read_sam(folder.path("a.bam"));
  REQUIRE(bam.records.size() == 1);
  CHECK(bam_aux2i(bam_aux_get(bam.records[0].get(), "NM")) == 299);
  CHECK(bam_aux2i(bam_aux_get(bam.records[0].get(), "XE")) == 299);
  CHECK(bam_endpos(bam.records[0].get()) == 900);
}

TEST_CASE("SAM: pattern names that are not allowed") {
  const auto make = [](const std::string& name) {
    const PatternSet patterns = approximate({{"fine", "ACG"}, {name, "ACGT"}}, 1);
    return make_sam_formatter(make_hit_sam(patterns, false), {});
  };
  for (const std::string& name : {std::string(254, 'x'), std::string("!?A~*=")}) CHECK_NOTHROW(make(name));
  for (const std::string& name : {std::string(255, 'x'), std::string("a\nb"), std::string("@a"), std::string("a@"),
                                  std::string("*"), std::string(), std::string("\xc3\xa9"), std::string("a\x7f")}) {
    CHECK_THROWS_AS(make(name), UsageError);
  }
  CHECK_NOTHROW(make("a b"));  // it becomes a_b
  const PatternSet alike = approximate({{"a b", "ACG"}, {"a_b", "ACGT"}}, 1);
  CHECK_THROWS_WITH(make_sam_formatter(make_hit_sam(alike, false), {}),
                    Equals("patterns 'a b' and 'a_b' are both 'a_b' in SAM, which allows no blanks in names"));
  CHECK_THROWS_WITH(make("*"), Equals("pattern '*': in SAM this name means that there is none"));
  CHECK_THROWS_WITH(make("@a"), Equals("pattern '@a': SAM does not allow '@' in its name"));
}

TEST_CASE("SAM: records that are not allowed") {
  const PatternSet patterns = approximate({{"p", "ACG"}}, 1);
  for (const bool binary : {false, true}) {
    SamOptions options;
    options.binary = binary;
    const auto formatter = make_sam_formatter(make_hit_sam(patterns, false), options);
    const auto header = [&](const std::string& name, std::int64_t length) {
      return formatter->header(std::vector<RecordInfo>{{"one", 5}, {name, length}});
    };
    CHECK_NOTHROW(header("0!#$%&+./:;?@^_|~-*=", 2'147'483'647));
    for (const char* name : {"=a", "*a", "a,b", "a b", "a(b", "a\"", "a'", "a\\", "<a>", "a[", "{a", "\xc3\xa9", ""}) {
      CHECK_THROWS_AS(header(name, 5), DataError);
    }
    CHECK_THROWS_WITH(header("a,b", 5), Equals("record 'a,b': SAM does not allow ',' in its name"));
    CHECK_THROWS_WITH(header("*", 5), Equals("record '*': SAM does not allow '*' at the start of its name"));
    CHECK_THROWS_WITH(header("", 5), Equals("record 2 has no name, which SAM needs"));
    CHECK_THROWS_WITH(header("one", 5), Equals("record 'one': the name is used twice, which SAM does not allow"));
    CHECK_THROWS_WITH(header("two", 2'147'483'648),
                      Equals("record 'two': has 2147483648 bases, SAM allows 2147483647"));
    options.path = "a.fa";
    CHECK_THROWS_WITH(
        make_sam_formatter(make_hit_sam(patterns, false), options)->header(std::vector<RecordInfo>{{"a,b", 5}}),
        Equals("a.fa: record 'a,b': SAM does not allow ',' in its name"));
  }
}

}  // namespace basesweep::test_sam_formatter
