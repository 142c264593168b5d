// Sample sheets: forms of tables, columns of other programs, kits, and sheets that are refused or warned of.
#include "lib/demux/sample_sheet.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "lib/base/dna.hpp"
#include "lib/base/error.hpp"
#include "lib/demux/barcode_kits.hpp"
#include "lib/demux/sample_distances.hpp"
#include "lib/oracle/trial/generate.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/environment.hpp"
#include "tests/support/files.hpp"

namespace basesweep::test_sample_sheet {

using Catch::Matchers::ContainsSubstring;

namespace {

SampleSheet read(const std::string& text, const char* kit = nullptr) {
  const support::ScratchFolder scratch;
  support::write_file(scratch.path("sheet.tsv"), text);
  SampleSheet sheet = read_sample_sheet(scratch.path("sheet.tsv"), kit == nullptr ? nullptr : &barcode_kit(kit));
  sheet.path = "sheet.tsv";
  return sheet;
}

// "name:barcode[:barcode2]" of all samples.
std::string samples_of(const SampleSheet& sheet) {
  std::string text;
  for (const SheetSample& sample : sheet.samples) {
    text += fmt::format("{}{}:{}", text.empty() ? "" : " ", sample.name, sample.first.letters);
    if (!sample.second.letters.empty()) text += ":" + sample.second.letters;
  }
  return text;
}

void refuse(const std::string& text, const std::string& message, const char* kit = nullptr) {
  CAPTURE(text);
  CHECK_THROWS_WITH(read(text, kit), ContainsSubstring(message));
  CHECK_THROWS_AS(read(text, kit), DataError);
}

SheetBarcodes compare(const std::string& text, const SheetSearch& search = {},
                      std::vector<std::string>* warnings = nullptr) {
  SampleSheet sheet = read(text);
  SheetBarcodes barcodes = barcodes_of(sheet, search);
  if (warnings != nullptr) *warnings = sheet.warnings;
  return barcodes;
}

void refuse_pair(const std::string& text, const std::string& message, const SheetSearch& search = {}) {
  CAPTURE(text);
  CHECK_THROWS_WITH(compare(text, search), ContainsSubstring(message));
}

}  // namespace

TEST_CASE("sheets are read in all their forms") {
  const std::string expected = "a:ACGTACGT b-2:GGTTGGTT";
  CHECK(samples_of(read("sample\tbarcode\na\tACGTACGT\nb-2\tGGTTGGTT\n")) == expected);
  CHECK(samples_of(read("sample,barcode\r\na,ACGTACGT\r\nb-2,GGTTGGTT\r\n")) == expected);
  CHECK(samples_of(read("\xef\xbb\xbfsample;barcode\na;acgtacgt\n\n;\nb-2;GGUUGGUU")) == expected);
  CHECK(samples_of(
            read("# of the run\nbarcode,\"sample\",more\nACGTACGT,\"a\",\"x, \"\"y\"\"\"\n# b\nGGTTGGTT,b-2,\n")) ==
        expected);
  CHECK(samples_of(read("sample_id\tsample_name\tbarcode\na\tx\tACGTACGT\nb-2\ty\tGGTTGGTT\n")) == expected);
  CHECK(samples_of(read("sample barcode\na ACGTACGT\nb-2   GGTTGGTT\n")) == expected);
}

TEST_CASE("sheets of two barcodes") {
  const SampleSheet sheet =
      read("sample\tbarcode\tleft\tright\tbarcode2\tleft2\tright2\tedits\na\tACGT\tTT\tGG\tCCAA\tG\tA\t3\nb\tAGGT\n");
  CHECK(samples_of(sheet) == "a:ACGT:CCAA b:AGGT");
  const SheetSample& a = sheet.samples.front();
  CHECK(a.first.left + " " + a.first.right + " " + a.second.left + " " + a.second.right == "TT GG G A");
  CHECK(a.edits == 3U);
  CHECK(a.line == 2);
  CHECK_FALSE(sheet.samples.back().edits);
  CHECK(sheet.has_second());
  // As SAM has two barcodes in BC.
  CHECK(samples_of(read("sample\tbarcode\na\tACGT-CCAA\nb\tACGT+CCTT\n")) == "a:ACGT:CCAA b:ACGT:CCTT");
}

TEST_CASE("Illumina's sheets") {
  const std::string head = "[Header],,,\nFileFormatVersion,2,,\n\n[Reads]\n151,,,\n";
  CHECK(
      samples_of(read(
          head + "[Data],,,\nSample_ID,Sample_Name,index,index2\nS1,x,ACGTACGT,TTGGTTGG\nS2,y,CCGTACGT,TTGGTTGG\n")) ==
      "S1:ACGTACGT:TTGGTTGG S2:CCGTACGT:TTGGTTGG");
  CHECK(samples_of(read(head + "[BCLConvert_Data]\nLane,Sample_ID,Index,Index2\n1,S1,ACGT,TTGG\n1,S2,CCCC,TTGG\n2,S1,"
                               "ACGT,TTGG\n2,S2,CCCC,TTGG\n[Cloud_Data]\nSample_ID\nS9\n")) ==
        "S1:ACGT:TTGG S2:CCCC:TTGG");
  refuse(head + "[Data]\nLane,Sample_ID,index\n1,S1,ACGT\n2,S1,TTTT\n",
         "line 9: the sample 'S1' is on line 8 already, with other barcodes");
  refuse(head, "it has the sections [header], [reads]: expected [Data] or [BCLConvert_Data]");
}

TEST_CASE("kits give flanks and barcodes") {
  const SampleSheet sheet = read("sample\tbarcode\na\tbarcode01\nb\tBC12\nc\tNB2\nd\tACGTACGTACGT\n", "SQK-RBK004");
  CHECK(samples_of(sheet) ==
        "a:AAGAAAGTTGTCGGTGTCTTTGTG b:CAGGTAGAAAGAAGCAGAATCGGA c:TCGATTCCGTTTGTAGTCGTCTGT d:ACGTACGTACGT");
  CHECK(sheet.samples[1].first.name == "BC12");
  CHECK(sheet.samples[3].first.left == "GCTTGGGTGTTTAACC");
  CHECK(read("sample\tbarcode\tleft\na\t1\tACC\n", "rbk004").samples[0].first.left == "ACC");
  refuse("sample\tbarcode\na\tBC13\n",
         "line 2: column barcode: the kit RBK004 has no barcode 'BC13': it has BC01 to BC12", "RBK004");
  refuse("sample\tbarcode\na\tACXT\n", "line 2: column barcode: 'ACXT': position", "RBK004");
  refuse("sample\tbarcode\na\tBC01\n", "(names of barcodes need --kit)");
  CHECK_THROWS_WITH(barcode_kit("RBK005"),
                    ContainsSubstring("--kit RBK005: there is no such kit; expected one of RBK001, RBK004"));
  // Both ends have the barcode.
  const SampleSheet both = read("sample\tbarcode\na\tBC01\n", "PBC096");
  CHECK(samples_of(both) == "a:AAGAAAGTTGTCGGTGTCTTTGTG:CACAAAGACACCGACAACTTTCTT");
  CHECK(both.same_at_ends);
  CHECK(both.samples[0].second.right == "CAGCACC");
  for (const BarcodeKit& kit : barcode_kits()) {
    CAPTURE(kit.name);
    CHECK(&barcode_kit(kit.name) == &kit);
    CHECK_FALSE(kit.about.empty());
    CHECK((kit.barcodes.empty() ? kit.slack.has_value() || kit.structures.size() == 2 : kit.barcodes.size() % 12 == 0));
    for (const std::string* const letters : {&kit.left, &kit.right, &kit.left2, &kit.right2})
      CHECK(std::all_of(letters->begin(), letters->end(), [](char letter) { return iupac_set(letter) != 0; }));
    std::string text = "sample\tbarcode\n";
    for (const auto& [name, letters] : kit.barcodes) {
      CHECK(letters.size() == 24);
      text += name + "\t" + name + "\n";
    }
    if (kit.barcodes.empty()) continue;
    SampleSheet all = read(text, kit.name.c_str());
    barcodes_of(all, {.either_end = all.same_at_ends});
    CHECK(all.warnings.empty());
  }
}

TEST_CASE("sheets that are none are refused") {
  refuse("", "it is empty: expected a line of column names");
  refuse("# nothing\n\n", "it is empty");
  refuse("sample\tbarcode\n", "it has no samples");
  refuse("sample\tsequence\na\tACGT\n",
         "line 1: expected a column 'barcode' among the column names, found sample, sequence");
  refuse("a\tACGT\nb\tAGGT\n", "line 1: expected a column 'sample' among the column names, found a, ACGT");
  refuse("sample\n", "found sample (columns have tabs or commas between them)");
  refuse("sample\tbarcode\tbarcode\na\tA\tC\n", "line 1: there are two columns 'barcode'");
  refuse("sample\tbarcode\na\tACGT\na\tAGGT\n", "line 3: the sample 'a' is on line 2 already");
  refuse("sample\tbarcode\na\tACGT\n#\na b\tAGGT\n",
         "line 4: the sample name 'a b' has letters that names of files should not have");
  refuse("sample\tbarcode\na/../b\tAGGT\n", "line 2: the sample name 'a/../b' has letters");
  refuse("sample\tbarcode\n\xc3\xa9\tAGGT\n", "has letters that");
  refuse("sample\tbarcode\n\tAGGT\n", "line 2: it has no sample name");
  refuse("sample\tbarcode\nunassigned\tAGGT\n", "line 2: 'unassigned' is no name for a sample");
  refuse("sample\tbarcode\na\tACXT\n",
         "line 2: column barcode: 'ACXT': position 3: 'X' is not a nucleotide or IUPAC code");
  refuse("sample\tbarcode\na\tAC.T\n", "line 2: column barcode: 'AC.T': position 3");
  refuse("sample\tbarcode\na\t\n", "line 2: the sample 'a' has no barcode");
  refuse("sample\tbarcode\na\t" + std::string(65, 'A') + "\n", "line 2: a barcode of 65 letters: at most 64");
  refuse("sample\tbarcode\tedits\na\tACGT\tfew\n",
         "line 2: column edits: expected a whole number of at most 255, found 'few'");
  refuse("sample\tbarcode\na\tACGT\tCC\n", "line 2: it has 3 columns, but there are 2 column names");
}

TEST_CASE("structures of samples are kept as they are given") {
  const SampleSheet sheet = read("sample,barcode,Read_Structure\na,ACGT,\nb,CCCC,\"8B+T,+T\"\n");
  CHECK(sheet.has_structure());
  CHECK(sheet.samples[0].structure.empty());
  CHECK(sheet.samples[1].structure == "8B+T,+T");
  CHECK_FALSE(read("sample\tbarcode\tstructure\na\tACGT\t\n").has_structure());
}

TEST_CASE("samples that cannot be told apart are refused") {
  const std::string head = "sample\tbarcode\tbarcode2\n";
  refuse_pair("sample\tbarcode\na\tACGT\nb\tCCCC\nc\tACGT\n",
              "lines 2 and 4: the samples 'a' and 'c' cannot be told apart: they have the same barcode");
  refuse_pair("sample\tbarcode\tedits\na\tACGT\t0\nb\tACGT\t1\n", "they have the same barcode");
  refuse_pair("sample\tbarcode\na\tACNT\nb\tNCGT\n", "codes of several bases let both be the same");
  refuse_pair("sample\tbarcode\na\tACGT\nb\tTACGTT\n", "one barcode, with its flanks, is part of the other");
  refuse_pair(head + "a\tACGT\tTTTT\nb\tACGT\tTTTT\n", "'a' and 'b'");
  refuse_pair(head + "a\tACGT\tTTTT\nb\tACGT\t\n", "'a' and 'b'");
  refuse_pair(head + "a\tACGT\tTTTTT\nb\tACGT\tCCCCC\n", "with --either-end no barcode may be of two samples",
              {.either_end = true});
  CHECK(compare(head + "a\tACGT\tTTTT\nb\tACGT\tCCCC\nc\tGGGG\tTTTT\n").samples.size() == 3);
}

TEST_CASE("samples whose reads look alike the other way are refused") {
  const std::string head = "sample\tbarcode\tbarcode2\n";
  const std::string turned = head + "a\tGATTACAGTT\tCCGGTTAACA\nc\tAAAAAAAAAA\tCCCCCCCCCC\nb\tTGTTAACCGG\tAACTGTAATC\n";
  const std::string exchanged = head + "a\tGATTACAGTT\tCCGGTTAACA\nb\tCCGGTTAACA\tGATTACAGTT\n";
  const auto check = [](const std::string& text, bool pairs, const SheetSearch& search = {}) {
    SampleSheet sheet = read(text);
    check_other_way(sheet, search, barcodes_of(sheet, search), pairs);
  };
  CHECK_THROWS_WITH(check(turned, false),
                    ContainsSubstring("lines 2 and 4: the samples 'a' and 'b' cannot be told apart: the reverse "
                                      "complement of a read of one looks like a read of the other: use --strand plus"));
  CHECK_NOTHROW(check(turned, true));
  CHECK_THROWS_WITH(check(exchanged, true),
                    ContainsSubstring("with mates exchanged, pairs of one look like pairs of the other"));
  CHECK_NOTHROW(check(exchanged, false));
  // A sample that is its own other way; one with a single barcode; one end of two is enough.
  CHECK_NOTHROW(check(head + "a\tGATTACAGTT\tAACTGTAATC\n", false));
  CHECK_THROWS(check(head + "a\tGATTACAGTT\tCCGGTTAACA\nb\tTGTTAACCGG\t\n", false));
  const std::string one_end = head + "a\tGATTACAGTT\tCCGGTTAACA\nb\tTGTTAACCGG\tACACACACAC\n";
  CHECK_NOTHROW(check(one_end, false));
  CHECK_THROWS(check(one_end, false, {.either_end = true}));
}

TEST_CASE("samples that are near are warned of") {
  std::vector<std::string> warnings;
  compare("sample\tbarcode\na\tAACCGGTT\nb\tTTTTTTTT\nc\tAACCTTTT\n", {}, &warnings);
  CHECK(warnings.size() == 1);
  CHECK_THAT(warnings.at(0), ContainsSubstring("reads with few errors are ambiguous: 'a' and 'c' (2 edits)"));
  compare("sample\tbarcode\na\tAACCGGTT\nb\tAACCGGTA\n", {}, &warnings);
  CHECK(warnings.size() == 1);
  CHECK_THAT(warnings.at(0),
             ContainsSubstring(
                 "nearer to each other than --margin 2, so that their reads are ambiguous: 'a' and 'b' (1 edit)"));
  compare("sample\tbarcode\na\tAACCGGTT\nb\tAACCGGTA\n", {.margin = 1}, &warnings);
  CHECK(warnings.at(0).find("few errors") != std::string::npos);
  compare("sample\tbarcode\tbarcode2\na\tAACCGGTT\tAACCGGTT\nb\tAACCGGTA\tAACCCGTT\nc\tAACCGGTA\tGGGTTTCA\n", {},
          &warnings);
  CHECK_THAT(warnings.at(0), ContainsSubstring("'a' and 'b' (2 edits)"));
  CHECK(warnings.at(0).find("'c'") == std::string::npos);
  compare("sample\tbarcode\na\tAAAAAAAA\nb\tTTTTTTTT\nc\tCCCCCCCC\n", {}, &warnings);
  CHECK(warnings.empty());
  CHECK_THAT(read("sample\tbarcode\tbracode2\na\tACGT\tA\n").warnings.at(0),
             ContainsSubstring("line 1: the column 'bracode2' is not used; did you mean 'barcode2'?"));
}

TEST_CASE("limits of barcodes") {
  const std::string text =
      "sample\tbarcode\tleft\tright\tedits\na\tACGTACGTAC\tTTTTTTTTTT\tGGGGGGGGGG\t\nb\tCCCCCCCCCC\tTTTTTTTTTT\tGGGGGGG"
      "GGG\t5\n";
  CHECK(compare(text).first[0].limit == 9);
  CHECK(compare(text).first[1].limit == 5);
  CHECK(compare(text, {{.context = 0}}).first[0].limit == 3);
  CHECK(compare(text, {{.context = 5, .error_rate = 0.1}}).first[0].limit == 2);
  CHECK(compare(text, {{}, 7}).first[0].limit == 7);
  CHECK(compare(text, {{}, 7}).first[1].limit == 5);
}

TEST_CASE("distances of patterns are those of full matrices") {
  trial::Random random(support::test_seed());
  for (std::uint64_t round = support::test_cases(3000); round-- > 0;) {
    const std::string letters = random.chance(30) ? "ACGTN" : "ACGT";
    const std::string one = trial::random_letters(random, random.below(16), letters);
    std::string other = random.chance(30) ? trial::random_letters(random, random.below(16), letters) : one;
    for (std::size_t edits = random.below(5); edits-- > 0 && !other.empty();) {
      other[random.below(other.size())] = 'G';
      other.erase(random.below(other.size()), random.below(2));
    }
    std::vector<std::vector<std::uint32_t>> cells(one.size() + 1, std::vector<std::uint32_t>(other.size() + 1));
    for (std::uint32_t i = 0; i <= one.size(); ++i) {
      for (std::uint32_t j = 0; j <= other.size(); ++j) {
        if (i == 0 || j == 0) {
          cells[i][j] = i + j;
          continue;
        }
        const bool same = (iupac_set(one[i - 1]) & iupac_set(other[j - 1])) != 0;
        cells[i][j] = std::min({cells[i - 1][j - 1] + (same ? 0 : 1), cells[i - 1][j] + 1, cells[i][j - 1] + 1});
      }
    }
    const auto most = static_cast<std::uint32_t>(random.below(8));
    CAPTURE(one, other, most);
    REQUIRE(edits_between(one, other, most) == std::min(cells.back().back(), most + 1));
  }
}

}  // namespace basesweep::test_sample_sheet
