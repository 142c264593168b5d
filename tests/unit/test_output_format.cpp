#include "lib/rows/output_format.hpp"

#include <sys/stat.h>

#include <array>
#include <fstream>
#include <vector>

#include "lib/base/error.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/files.hpp"

namespace basesweep::test_output_format {

namespace {

using Formats = std::vector<OutputFormat>;

const Formats kHits{OutputFormat::bed, OutputFormat::tsv, OutputFormat::gff3, OutputFormat::fasta};
const Formats kAlignments{OutputFormat::sam, OutputFormat::bam, OutputFormat::cram};

std::string refusal(const std::string& path, const Formats& formats) {
  try {
    format_of_name(path, formats);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "";
}

bool says(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("the ending of an output chooses its format", "[format]") {
  const std::vector<std::pair<std::string, OutputFormat>> names = {
      {"hits.bed", OutputFormat::bed},    {"a.b/hits.v2.tsv", OutputFormat::tsv}, {"HITS.BED.GZ", OutputFormat::bed},
      {"hits.tsv.gz", OutputFormat::tsv}, {"x.gff", OutputFormat::gff3},          {"x.gff3.gz", OutputFormat::gff3},
      {"x.fa", OutputFormat::fasta},      {"x.Fasta", OutputFormat::fasta},       {"x.fna.gz", OutputFormat::fasta},
      {".bed", OutputFormat::bed}};
  for (const auto& [name, format] : names) {
    CAPTURE(name);
    CHECK(format_of_name(name, kHits) == format);
  }
  CHECK(format_of_name("x.SAM.gz", kAlignments) == OutputFormat::sam);
  CHECK(format_of_name("x.bam", kAlignments) == OutputFormat::bam);
  CHECK(format_of_name("x.Cram", kAlignments) == OutputFormat::cram);
  CHECK(format_of_name("x.txt", Formats{OutputFormat::counts}) == OutputFormat::counts);
  CHECK(format_of_name("x.tsv", Formats{OutputFormat::counts}) == OutputFormat::counts);
  CHECK(format_of_name("x.ndjson", Formats{OutputFormat::jsonl}) == OutputFormat::jsonl);
  CHECK(format_of_name("x.NDJSON.gz", Formats{OutputFormat::jsonl}) == OutputFormat::jsonl);
  CHECK(format_of_name("x.json", Formats{OutputFormat::report}) == OutputFormat::report);
}

TEST_CASE("a name without an ending leaves the format open", "[format]") {
  for (const char* name :
       {"-", "hits", "a.bed/hits", "hits.", "hits.gz", "hits.GZ", "hits.v2", "hits.2026", "hits.a1b", "hits.abcdef",
        "hits.sample-1", "hits.a_b", "hits.\xc3\xa4", "", "/dev/stdout", "/dev/null", ".."}) {
    CAPTURE(name);
    CHECK(format_of_name(name, kHits) == std::nullopt);
  }
}

TEST_CASE("what is no regular file has no ending", "[format]") {
  const support::ScratchFolder folder;
  const std::string fifo = folder.path("hits.bam");
  REQUIRE(mkfifo(fifo.c_str(), 0600) == 0);
  CHECK(format_of_name(fifo, kHits) == std::nullopt);
  const std::string file = folder.path("other.bam");
  std::ofstream(file).close();
  CHECK(says(refusal(file, kHits), "cannot write .bam"));
}

TEST_CASE("an ending that cannot be written is refused with those that can", "[format]") {
  const std::string text = refusal("dir/hits.Csv", kHits);
  CHECK(text ==
        "dir/hits.Csv: this command cannot write .csv: name the file .bed, .tsv, .gff3, .gff, .fa, .fasta or "
        ".fna, or choose with --format");
  for (const char* name :
       {"x.bam",    "x.cram",      "x.txt",     "x.out",     "x.z",     "x.abcde",  "x.bed.zip",
        "x.bz2",    "x.7z",        "x.lz4",     "x.gtf.gz",  "x.json",  ".hits",    "x.gz.gz",
        "x.ndjson", "x.jsonlines", "x.Parquet", "x.feather", "x.arrow", "x.bigBed", "x.parquet.gz"}) {
    CAPTURE(name);
    CHECK(says(refusal(name, kHits), "name the file .bed, .tsv"));
  }
  CHECK(refusal("x.bed", Formats{OutputFormat::counts}) ==
        "x.bed: the output is counts, not .bed: name the file .tsv or .txt");
  CHECK(refusal("x.bed", Formats{OutputFormat::bam}) == "x.bed: the output is BAM, not .bed: name the file .bam");
  CHECK(refusal("x.bam.gz", kAlignments) == "x.bam.gz: BAM is already compressed: name the file .bam");
}

TEST_CASE("names of outputs that would say what the file is not are refused", "[format]") {
  for (const char* name : {"a.zst", "a.fq.BZ2", "b/a.xz", "{pattern}.fq", "a_{x}", "{}.bed"}) {
    INFO(name);
    CHECK_THROWS_AS(check_output_name(name), UsageError);
  }
  for (const char* name : {"a.gz", "a", "xz", "zst.fq", "a.txt", "a{b", "}{", "{x}/a.fq", "-", "/dev/null"}) {
    INFO(name);
    CHECK_NOTHROW(check_output_name(name));
  }
  CHECK(says(refusal("{pattern}.bed", kHits), "{pattern}"));
}

TEST_CASE(".gz is seen in either case", "[format]") {
  CHECK(ends_in_gz("a.gz"));
  CHECK(ends_in_gz("a.bed.GZ"));
  CHECK_FALSE(ends_in_gz("gz"));
  CHECK_FALSE(ends_in_gz("a.gz/b"));
  CHECK_FALSE(ends_in_gz("-"));
}

}  // namespace basesweep::test_output_format
