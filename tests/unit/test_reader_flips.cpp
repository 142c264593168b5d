// Files of alignments and BGZF with one bit turned: they are refused, or give the same text. Other formats have such
// tests of their own; .2bit in tests/golden.
#include <htslib/sam.h>

#include <iterator>
#include <memory>

#include "tests/support/environment.hpp"
#include "tests/support/reader.hpp"

namespace basesweep::test_reader_flips {

using namespace reader_test;

namespace {

std::string bytes_of(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

// Some reads on both strands, mapped and not, as SAM.
std::string sam_of(std::mt19937& random) {
  const std::string reference = random_dna(3000, random);
  std::string sam = "@HD\tVN:1.6\n@SQ\tSN:c\tLN:3000\n@RG\tID:x\n";
  for (int i = 0; i < 40; ++i) {
    const std::size_t at = random() % 2900, length = 30 + random() % 70;
    const int flag = i % 7 == 0 ? 4 : i % 2 == 0 ? 0 : 16;
    sam += "read" + std::to_string(i) + "\t" + std::to_string(flag);
    sam += flag == 4 ? "\t*\t0\t0\t*" : "\tc\t" + std::to_string(at + 1) + "\t9\t" + std::to_string(length) + "M";
    sam += "\t*\t0\t0\t" + reference.substr(at, length) + "\t";
    for (std::size_t j = 0; j < length; ++j) sam += static_cast<char>('!' + random() % 60);
    sam += "\tRG:Z:x\tBC:Z:AC" + std::to_string(i) + "\n";
  }
  return sam;
}

// Writes SAM in another format: "wb" for BAM, "wc" for CRAM, which needs no reference.
std::string converted(const Scratch& scratch, const std::string& sam, const char* mode) {
  const std::string from = scratch.write("from.sam", sam), to = scratch.path("to");
  const std::unique_ptr<samFile, decltype(&hts_close)> in(sam_open(from.c_str(), "r"), hts_close);
  const std::unique_ptr<sam_hdr_t, decltype(&sam_hdr_destroy)> header(sam_hdr_read(in.get()), sam_hdr_destroy);
  const std::unique_ptr<bam1_t, decltype(&bam_destroy1)> record(bam_init1(), bam_destroy1);
  samFile* const out = sam_open(to.c_str(), mode);
  REQUIRE(out != nullptr);
  if (mode[1] == 'c') REQUIRE(hts_set_opt(out, CRAM_OPT_NO_REF, 1) == 0);
  REQUIRE(sam_hdr_write(out, header.get()) == 0);
  while (sam_read1(in.get(), header.get(), record.get()) >= 0)
    REQUIRE(sam_write1(out, header.get(), record.get()) >= 0);
  REQUIRE(hts_close(out) == 0);
  return bytes_of(to);
}

// The text of all records, as the reader hands it out.
std::string text_of(const std::string& path, int threads) {
  Reader reader({.paths = {path}, .threads = threads, .whole_records = true, .alignments = {.tags = {"RG", "BC"}}});
  std::string text;
  while (const std::optional<RawBlock> block = reader.next()) text += reader_test::text_of(*block);
  return text;
}

// Turns bits of the file one at a time.
void check_flips(const Scratch& scratch, const std::string& good, std::uint64_t seed) {
  std::mt19937 random(seed);
  const std::string expected = text_of(scratch.write("in", good), 1);
  REQUIRE(expected.size() > 5000);
  std::uint64_t refused = 0;
  const std::uint64_t rounds = support::test_cases(10000);
  for (std::uint64_t round = 0; round < rounds; ++round) {
    std::string bad = good;
    const std::size_t at = random() % bad.size(), bit = random() % 8;
    bad[at] = static_cast<char>(bad[at] ^ (1 << bit));
    const std::string path = scratch.write("in", bad);
    try {
      const std::string found = text_of(path, round % 50 == 0 ? 3 : 1);
      if (found != expected)
        FAIL_CHECK("bit " << bit << " of byte " << at << " passed unnoticed, BASESWEEP_TEST_SEED=" << seed);
    } catch (const DataError&) {
      ++refused;
    }
  }
  CHECK(refused > rounds / 2);
}

}  // namespace

TEST_CASE("A turned bit in BAM, CRAM or BGZF is refused, or changes nothing", "[reader]") {
  const Scratch scratch;
  const std::uint64_t seed = support::test_seed();
  std::mt19937 random(seed);
  const std::string sam = sam_of(random);
  SECTION("BAM") { check_flips(scratch, converted(scratch, sam, "wb"), seed); }
  SECTION("CRAM") { check_flips(scratch, converted(scratch, sam, "wc"), seed); }
  SECTION("SAM in BGZF") { check_flips(scratch, reader_test::bgzf(sam), seed); }
  SECTION("FASTA in BGZF") { check_flips(scratch, reader_test::bgzf(">r\n" + random_dna(9000, random) + "\n"), seed); }
}

// HTSlib hands out what it has of a line that the damage cuts, as if it were whole.
TEST_CASE("SAM in BGZF is refused when the block with the end of its last line is damaged", "[reader]") {
  const Scratch scratch;
  std::mt19937 random(support::test_seed());
  const std::string sam = sam_of(random);
  const std::size_t end_block = reader_test::bgzf_block("").size();
  for (std::size_t part = 60; part < 100; ++part) {
    std::string bad = reader_test::bgzf(sam, part);
    const std::size_t sum_and_size = 8;
    bad[bad.size() - end_block - sum_and_size] ^= 1;
    const std::string path = scratch.write("in", bad);
    for (const int threads : {1, 3}) CHECK_THROWS_AS(text_of(path, threads), DataError);
  }
}

}  // namespace basesweep::test_reader_flips
