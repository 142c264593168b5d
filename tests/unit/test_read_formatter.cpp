// Single reads and pairs on both strands as SAM and BAM. BAM is read back with HTSlib.
#include "lib/writer/read_formatter.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <deque>

#include "lib/base/error.hpp"
#include "lib/oracle/trial/generate.hpp"
#include "lib/oracle/trial/mutate.hpp"
#include "lib/rows/letters.hpp"
#include "lib/writer/output_file.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/environment.hpp"
#include "tests/support/files.hpp"
#include "tests/support/reference.hpp"
#include "tests/support/sam_file.hpp"
#include "tests/support/trace.hpp"

namespace basesweep::test_read_formatter {

namespace {

std::string reverse_complement(const std::string& letters) {
  std::string turned(letters.rbegin(), letters.rend());
  std::transform(turned.begin(), turned.end(), turned.begin(), complement_letter);
  return turned;
}

// A read, its hits, and the data they point to.
struct Placing {
  std::string name = "q";
  std::string letters;
  std::string quality;
  std::vector<Hit> hits;
  std::uint8_t mapq = 60;
  std::uint64_t found = 0;  // more than there are hits, when not 0
};

Hit hit_at(const Reference& reference, std::int64_t record, std::int64_t start, std::uint32_t length, bool minus,
           std::uint16_t edits = 0, std::uint16_t indels = 0) {
  return {support::position_of(reference, record, start), length, minus ? 7U : 6U, 0, edits, indels};
}

std::string print(const ReadFormatter& formatter, const std::vector<Placing>& placings) {
  std::deque<Read> reads;
  std::vector<PlacedRead> placed;
  for (const Placing& p : placings) {
    reads.push_back({p.name, p.letters, p.quality});
    placed.push_back({&reads.back(), p.hits, p.found != 0 ? p.found : p.hits.size(), p.mapq});
  }
  RowText text;
  formatter.append(placed, text);
  return std::string(text.view());
}

std::string tabs(std::string line) {
  std::replace(line.begin(), line.end(), ' ', '\t');
  return line;
}

//                               0         1         2         3
//                               0123456789012345678901234567890123456789
const std::string kFirst = "ACGTTGCAAGGCTTAACCGATTGACNRGTTCATCGGAT";
const std::string kSecond = "TTTTGACCATGCAGT";

}  // namespace

TEST_CASE("reads: the header", "[read_formatter]") {
  Reference reference = support::make_reference({kFirst, "", kSecond});
  const std::string order = "@HD\tVN:1.6\tSO:unsorted\tGO:query\n";
  ReadFormatOptions options;
  options.program = false;
  CHECK(ReadFormatter(reference, options).header() == order + "@SQ\tSN:r0\tLN:38\n@SQ\tSN:r2\tLN:15\n");
  reference.md5 = {"0123", "4567"};
  options.read_group = "@RG\\tID:g\\tPL:ILLUMINA";
  options.program = true;
  options.command_line = "basesweep map -k 3";
  const std::string text = order + "@SQ\tSN:r0\tLN:38\tM5:0123\n@SQ\tSN:r2\tLN:15\tM5:4567\n@RG\tID:g\tPL:ILLUMINA\n" +
                           "@PG\tID:basesweep\tPN:basesweep\tVN:" BASESWEEP_VERSION "\tCL:basesweep map -k 3\n";
  CHECK(ReadFormatter(reference, options).header() == text);
  options.binary = true;
  const ReadFormatter binary(reference, options);
  CHECK(binary.header_text() == text);
  CHECK(binary.header().substr(0, 4) == std::string("BAM\1", 4));
  CHECK(binary.header().substr(8, text.size()) == text);
  options.read_group = "ID:g";
  CHECK_THROWS_AS(ReadFormatter(reference, options), UsageError);
}

TEST_CASE("reads: single ones", "[read_formatter]") {
  const Reference reference = support::make_reference({kFirst, kSecond});
  const ReadFormatter formatter(reference, {});
  const auto line = [&](const Placing& placing) { return print(formatter, {placing}); };

  CHECK(line({"a", "GACCATG", "ABCDEFG", {hit_at(reference, 1, 4, 7, false)}}) ==
        tabs("a 0 r1 5 60 7M * 0 0 GACCATG ABCDEFG NM:i:0 MD:Z:7 AS:i:0 NH:i:1 XE:i:0\n"));
  CHECK(line({"a", "CATGGTC", "ABCDEFG", {hit_at(reference, 1, 4, 7, true)}, 40}) ==
        tabs("a 16 r1 5 40 7M * 0 0 GACCATG GFEDCBA NM:i:0 MD:Z:7 AS:i:0 NH:i:1 XE:i:0\n"));
  // FASTA, with a mismatch on strand -: GAGCATG on the forward strand.
  CHECK(line({"a", "CATGCTC", "", {hit_at(reference, 1, 4, 7, true, 1)}}) ==
        tabs("a 16 r1 5 60 7M * 0 0 GAGCATG * NM:i:1 MD:Z:2C4 AS:i:-1 NH:i:1 XE:i:1\n"));
  // A deletion and an insertion.
  CHECK(line({"a", "GACATG", "ABCDEF", {hit_at(reference, 1, 4, 7, false, 1, 1)}}) ==
        tabs("a 0 r1 5 60 2M1D4M * 0 0 GACATG ABCDEF NM:i:1 MD:Z:2^C4 AS:i:-1 NH:i:1 XE:i:1\n"));
  CHECK(line({"a", "CAAGACC", "", {hit_at(reference, 0, 6, 6, false, 2, 1)}}) ==
        tabs("a 0 r0 7 60 4M1I2M * 0 0 CAAGACC * NM:i:2 MD:Z:4G1 AS:i:-2 NH:i:1 XE:i:2\n"));
  // IUPAC codes in the reference (25 N, 26 R) and in the read. We count equal codes as edits. NM does not, except for
  // N.
  CHECK(line({"a", "GACNRGT", "", {hit_at(reference, 0, 22, 7, false, 2)}}) ==
        tabs("a 0 r0 23 60 7M * 0 0 GACNRGT * NM:i:1 MD:Z:3N3 AS:i:-2 NH:i:1 XE:i:2\n"));
  CHECK(line({"a", "ACYNGTC", "!!!!!!~", {hit_at(reference, 0, 22, 7, true, 2)}}) ==
        tabs("a 16 r0 23 60 7M * 0 0 GACNRGT ~!!!!!! NM:i:1 MD:Z:3N3 AS:i:-2 NH:i:1 XE:i:2\n"));
  // A read that is not aligned, and one without letters.
  CHECK(line({"a", "GATTACA", "ABCDEFG", {}}) == tabs("a 4 * 0 0 * * 0 0 GATTACA ABCDEFG\n"));
  CHECK(line({"a", "", "", {}}) == tabs("a 4 * 0 0 * * 0 0 * *\n"));
}

TEST_CASE("reads: several places", "[read_formatter]") {
  const Reference reference = support::make_reference({"GATTACA", "TTGTAATCTT", "GATTACAGATTACC"});
  ReadFormatOptions options;
  const Placing placing{"a",
                        "GATTACA",
                        "ABCDEFG",
                        {hit_at(reference, 0, 0, 7, false), hit_at(reference, 1, 1, 7, true),
                         hit_at(reference, 2, 0, 7, false), hit_at(reference, 2, 7, 7, false, 1)},
                        3,
                        9};
  const std::string tail = " AS:i:0 NH:i:9 XE:i:0";
  CHECK(print(ReadFormatter(reference, options), {placing}) ==
        tabs("a 0 r0 1 3 7M * 0 0 GATTACA ABCDEFG NM:i:0 MD:Z:7" + tail + "\n" +
             "a 272 r1 2 0 7M * 0 0 TGTAATC GFEDCBA NM:i:0 MD:Z:7" + tail + "\n" +
             "a 256 r2 1 0 7M * 0 0 GATTACA ABCDEFG NM:i:0 MD:Z:7" + tail + "\n" +
             "a 256 r2 8 0 7M * 0 0 GATTACA ABCDEFG NM:i:1 MD:Z:6C0 AS:i:-1 NH:i:9 XE:i:1\n"));
}

TEST_CASE("reads: options", "[read_formatter]") {
  const Reference reference = support::make_reference({kFirst, kSecond});
  const Placing aligned{"a", "CAAGACC", "", {hit_at(reference, 0, 6, 6, false, 2, 1)}};
  const Placing lost{"b", "ACGT", "IIII", {}};
  ReadFormatOptions options;
  options.distinguish = true;
  options.read_group = "@RG\tID:g 1";
  const std::string line =
      tabs("a 0 r0 7 60 4=1I1X1= * 0 0 CAAGACC * NM:i:2 MD:Z:4G1 AS:i:-2 NH:i:1 XE:i:2 RG:Z:") + "g 1\n";
  CHECK(print(ReadFormatter(reference, options), {aligned}) == line);
  CHECK(print(ReadFormatter(reference, options), {lost}) == tabs("b 4 * 0 0 * * 0 0 ACGT IIII RG:Z:") + "g 1\n");
  options.hits_only = true;
  CHECK(print(ReadFormatter(reference, options), {aligned}) == line);
  CHECK(print(ReadFormatter(reference, options), {lost}).empty());
}

TEST_CASE("reads: across a run of N that the batch leaves out", "[read_formatter]") {
  trial::Random random(5);
  const std::string left = trial::random_letters(random, 100, "ACGT");
  const std::string right = trial::random_letters(random, 100, "ACGT");
  const Reference reference = support::make_reference({"ACGT", left + std::string(1000, 'N') + right}, 8);
  REQUIRE(reference.text->positions() < 300);
  const ReadFormatter formatter(reference, {});
  CHECK(print(formatter, {{"a", right.substr(50, 20), "", {hit_at(reference, 1, 1150, 20, false)}}})
            .starts_with(tabs("a 0 r1 1151 60 20M ")));
  CHECK(print(formatter, {{"a", "ACG" + right.substr(0, 10), "", {hit_at(reference, 1, 1097, 13, false, 3)}}})
            .find(tabs("a 0 r1 1098 60 13M ")) == 0);
}

namespace {

// One read of a pair. "+r0:5" aligns 10 bases on strand + from offset 5 (0-based) of r0; "*" is not aligned.
Placing mate(const Reference& reference, const std::vector<std::string>& records, const std::string& where) {
  if (where == "*") return {"q", "GGGGGGGGGG", "0123456789", {}};
  const bool minus = where[0] == '-';
  const std::int64_t record = where[2] - '0';
  const std::int64_t start = std::stol(where.substr(4));
  const std::string letters = records[static_cast<std::size_t>(record)].substr(static_cast<std::size_t>(start), 10);
  return {
      "q", minus ? reverse_complement(letters) : letters, "0123456789", {hit_at(reference, record, start, 10, minus)}};
}

// Returns FLAG, RNAME, POS, RNEXT, PNEXT and TLEN of each line.
std::string mate_fields(const std::string& lines) {
  std::string found;
  for (std::size_t at = 0; at < lines.size(); at = lines.find('\n', at) + 1) {
    std::vector<std::string> fields;
    for (std::size_t field = at; fields.size() < 9; field = lines.find('\t', field) + 1) {
      fields.push_back(lines.substr(field, lines.find('\t', field) - field));
    }
    if (!found.empty()) found += " | ";
    found += fmt::format("{} {} {} {} {} {}", fields[1], fields[2], fields[3], fields[6], fields[7], fields[8]);
  }
  return found;
}

}  // namespace

TEST_CASE("pairs: flags, places, lengths", "[read_formatter]") {
  trial::Random random(4);
  const std::vector<std::string> records = {trial::random_letters(random, 300, "ACGT"),
                                            trial::random_letters(random, 90, "ACGT")};
  const Reference reference = support::make_reference(records);
  ReadFormatOptions options;
  options.paired = true;
  options.min_insert = 20;
  options.max_insert = 100;
  const ReadFormatter formatter(reference, options);
  struct Row {
    const char* first;
    const char* second;
    const char* fields;
  };
  const Row rows[] = {
      // Inward, either read first.
      {"+r0:5", "-r0:45", "99 r0 6 = 46 50 | 147 r0 46 = 6 -50"},
      {"-r0:45", "+r0:5", "83 r0 46 = 6 -50 | 163 r0 6 = 46 50"},
      // Template too short, just long enough, just not too long, too long.
      {"+r0:5", "-r0:14", "97 r0 6 = 15 19 | 145 r0 15 = 6 -19"},
      {"+r0:5", "-r0:15", "99 r0 6 = 16 20 | 147 r0 16 = 6 -20"},
      {"+r0:5", "-r0:95", "99 r0 6 = 96 100 | 147 r0 96 = 6 -100"},
      {"+r0:5", "-r0:96", "97 r0 6 = 97 101 | 145 r0 97 = 6 -101"},
      // Outward; one strand.
      {"-r0:5", "+r0:45", "81 r0 6 = 46 50 | 161 r0 46 = 6 -50"},
      {"+r0:45", "-r0:5", "97 r0 46 = 6 -50 | 145 r0 6 = 46 50"},
      {"+r0:5", "+r0:45", "65 r0 6 = 46 50 | 129 r0 46 = 6 -50"},
      {"-r0:5", "-r0:45", "113 r0 6 = 46 50 | 177 r0 46 = 6 -50"},
      {"-r0:45", "-r0:5", "113 r0 46 = 6 -50 | 177 r0 6 = 46 50"},
      // Two records.
      {"+r0:5", "-r1:45", "97 r0 6 r1 46 0 | 145 r1 46 r0 6 0"},
      {"-r1:5", "-r0:45", "113 r1 6 r0 46 0 | 177 r0 46 r1 6 0"},
      // Only one of them is aligned, or none.
      {"+r0:5", "*", "73 r0 6 = 6 0 | 133 r0 6 = 6 0"},
      {"-r1:5", "*", "89 r1 6 = 6 0 | 165 r1 6 = 6 0"},
      {"*", "+r0:5", "69 r0 6 = 6 0 | 137 r0 6 = 6 0"},
      {"*", "-r1:0", "101 r1 1 = 1 0 | 153 r1 1 = 1 0"},
      {"*", "*", "77 * 0 * 0 0 | 141 * 0 * 0 0"},
  };
  for (const Row& row : rows) {
    INFO(row.first << " and " << row.second);
    CHECK(mate_fields(print(formatter, {mate(reference, records, row.first), mate(reference, records, row.second)})) ==
          row.fields);
  }
  options.min_insert = 0;
  const ReadFormatter any(reference, options);
  const auto fields = [&](const char* first, const char* second) {
    return mate_fields(print(any, {mate(reference, records, first), mate(reference, records, second)}));
  };
  // At one place: the first read counts as leftmost.
  CHECK(fields("+r0:5", "-r0:5") == "99 r0 6 = 6 10 | 147 r0 6 = 6 -10");
  CHECK(fields("-r0:5", "+r0:5") == "83 r0 6 = 6 10 | 163 r0 6 = 6 -10");
  CHECK(fields("+r0:5", "+r0:5") == "65 r0 6 = 6 10 | 129 r0 6 = 6 -10");
  // Dovetailed.
  CHECK(fields("+r0:5", "-r0:4") == "97 r0 6 = 5 -11 | 145 r0 5 = 6 11");
}

TEST_CASE("pairs: one read inside the other", "[read_formatter]") {
  trial::Random random(4);
  const std::string record = trial::random_letters(random, 100, "ACGT");
  const Reference reference = support::make_reference({record});
  ReadFormatOptions options;
  options.paired = true;
  const ReadFormatter formatter(reference, options);
  const auto read = [&](std::int64_t start, std::uint32_t length, bool minus) {
    const std::string letters = record.substr(static_cast<std::size_t>(start), length);
    return Placing{
        "q", minus ? reverse_complement(letters) : letters, "", {hit_at(reference, 0, start, length, minus)}};
  };
  CHECK(mate_fields(print(formatter, {read(10, 30, false), read(20, 20, true)})) ==
        "99 r0 11 = 21 30 | 147 r0 21 = 11 -30");
  CHECK(mate_fields(print(formatter, {read(10, 30, false), read(20, 10, true)})) ==
        "97 r0 11 = 21 30 | 145 r0 21 = 11 -30");
  CHECK(mate_fields(print(formatter, {read(10, 10, false), read(10, 30, true)})) ==
        "99 r0 11 = 11 30 | 147 r0 11 = 11 -30");
  CHECK(mate_fields(print(formatter, {read(12, 10, false), read(10, 30, true)})) ==
        "97 r0 13 = 11 -30 | 145 r0 11 = 13 30");
}

TEST_CASE("pairs: secondary records carry the primary mate's place", "[read_formatter]") {
  trial::Random random(4);
  const std::string unit = trial::random_letters(random, 40, "ACGT");
  const std::vector<std::string> records = {unit + unit, unit};
  const Reference reference = support::make_reference(records);
  ReadFormatOptions options;
  options.paired = true;
  Placing first = mate(reference, records, "+r0:5");
  first.hits.push_back(hit_at(reference, 0, 45, 10, false));
  first.hits.push_back(hit_at(reference, 1, 5, 10, false));
  Placing second = mate(reference, records, "-r0:25");
  second.hits.push_back(hit_at(reference, 1, 25, 10, true));
  CHECK(mate_fields(print(ReadFormatter(reference, options), {first, second})) ==
        "99 r0 6 = 26 30 | 353 r0 46 = 26 0 | 353 r1 6 r0 26 0 | 147 r0 26 = 6 -30 | 401 r1 26 r0 6 0");
  // The mate is not aligned. Its position is that of the primary.
  const Placing lost = mate(reference, records, "*");
  CHECK(mate_fields(print(ReadFormatter(reference, options), {first, lost})) ==
        "73 r0 6 = 6 0 | 329 r0 46 = 6 0 | 329 r1 6 r0 6 0 | 133 r0 6 = 6 0");
  CHECK(print(ReadFormatter(reference, options), {lost, second})
            .starts_with(tabs("q 101 r0 26 0 * = 26 0 GGGGGGGGGG 0123456789\n")));
  options.hits_only = true;
  CHECK(mate_fields(print(ReadFormatter(reference, options), {lost, second})) ==
        "153 r0 26 = 26 0 | 409 r1 26 r0 26 0");
  CHECK(print(ReadFormatter(reference, options), {lost, lost}).empty());
}

namespace {

// Returns a changed part of a record, or an unrelated read.
Placing random_placing(trial::Random& random, const Reference& reference, const std::vector<std::string>& records) {
  Placing placing{fmt::format("read{}", random.below(1'000'000)),
                  "",
                  "",
                  {},
                  static_cast<std::uint8_t>(random.below(61)),
                  random.below(400)};
  const std::size_t record = random.below(records.size());
  const std::size_t length = random.between(1, std::min<std::size_t>(records[record].size(), 160));
  const std::size_t start = random.below(records[record].size() - length + 1);
  const std::string text = records[record].substr(start, length);
  const bool minus = random.chance(50);
  std::string forward = trial::mutate(random, text, random.chance(40) ? 0 : random.below(5), "ACGTN");
  std::vector<BaseSet> sets;
  for (const char letter : forward) {
    const BaseSet set = iupac_set(letter);
    sets.push_back(is_single_base(set) ? set : BaseSet{0});
  }
  Query query{0, Strand::plus, true, sets, {}};
  query.limits.edits = query.limits.mismatches = query.limits.indels = static_cast<std::uint32_t>(forward.size());
  std::uint16_t edits = 0;
  std::uint16_t indels = 0;
  if (!forward.empty() && !random.chance(20)) {
    for (const CigarRun& run : support::trace(query, text)) {
      if (run.op != '=') edits = static_cast<std::uint16_t>(edits + run.length);
      if (run.op == 'I' || run.op == 'D') indels = static_cast<std::uint16_t>(indels + run.length);
    }
    placing.hits.assign(random.between(1, 3),
                        hit_at(reference, static_cast<std::int64_t>(record), static_cast<std::int64_t>(start),
                               static_cast<std::uint32_t>(length), minus, edits, indels));
  }
  placing.letters = minus ? reverse_complement(forward) : forward;
  if (random.chance(70)) {
    for (std::size_t i = 0; i < placing.letters.size(); ++i) {
      placing.quality += static_cast<char>('"' + random.below(93));  // never a lone "*", which means no quality in SAM
    }
    if (placing.quality == "*") placing.quality = "I";
  }
  return placing;
}

}  // namespace

TEST_CASE("BAM of reads holds what HTSlib makes of our SAM", "[read_formatter]") {
  trial::Random random(support::test_seed());
  const std::vector<std::string> records = {
      trial::random_letters(random, 700, "ACGT"), trial::random_letters(random, 40'000, "ACGT"),
      trial::random_letters(random, 200, "ACGTN"), trial::random_letters(random, 5, "ACGT")};
  const Reference reference = support::make_reference(records);
  const support::ScratchFolder folder;
  for (const bool paired : {false, true}) {
    std::vector<std::vector<Placing>> all(support::test_cases(2000));
    for (auto& placings : all) {
      for (int i = 0; i < (paired ? 2 : 1); ++i) placings.push_back(random_placing(random, reference, records));
      placings.back().name = placings.front().name;
    }
    ReadFormatOptions options;
    options.paired = paired;
    options.max_insert = 20'000;
    options.distinguish = random.chance(50);
    options.hits_only = random.chance(30);
    if (random.chance(50)) options.read_group = "@RG\\tID:group\\tSM:x";
    for (const bool binary : {false, true}) {
      options.binary = binary;
      const ReadFormatter formatter(reference, options);
      OutputFile file(folder.path(binary ? "a.bam" : "a.sam"), 1,
                      binary ? OutputCompression::bgzf : OutputCompression::none);
      file.write(formatter.header());
      for (const auto& placings : all) file.write(print(formatter, placings));
      file.commit();
    }
    const support::SamContent sam = support::read_sam(folder.path("a.sam"));
    const support::SamContent bam = support::read_sam(folder.path("a.bam"));
    CHECK(std::string(sam_hdr_str(sam.header.get())) == sam_hdr_str(bam.header.get()));
    REQUIRE(sam.records.size() >= all.size() / 2);
    REQUIRE(bam.records.size() == sam.records.size());
    const std::vector<std::string> lines = sam.lines();
    std::size_t differ = 0;
    for (std::size_t i = 0; i < lines.size(); ++i) {
      if (!support::same(*sam.records[i], *bam.records[i])) ++differ;
    }
    INFO("repeat with BASESWEEP_TEST_SEED=" << support::test_seed());
    CHECK(differ == 0);
    // HTSlib writes the same lines as we do.
    std::string text(sam_hdr_str(sam.header.get()));
    for (const std::string& line : lines) text += line + "\n";
    const bool same = text == support::read_file(folder.path("a.sam"));
    CHECK(same);
  }
}

}  // namespace basesweep::test_read_formatter
