// CRAM files hold the same records as BAM. Read back with HTSlib.
#include "lib/writer/cram_file.hpp"

#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <sstream>

#include "lib/base/error.hpp"
#include "lib/oracle/trial/generate.hpp"
#include "lib/writer/output_file.hpp"
#include "lib/writer/read_formatter.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/files.hpp"
#include "tests/support/reference.hpp"
#include "tests/support/sam_file.hpp"
#include "tests/support/setting.hpp"

namespace basesweep::test_cram_file {

using Names = std::vector<std::string>;

namespace {

// A reference, reads of it, and a folder for temporary files, which must be empty at the end.
struct Run {
  explicit Run(std::size_t reads, bool paired = true) {
    std::filesystem::create_directory(temporaries());
    trial::Random random(11);
    records = {trial::random_letters(random, 30'000, "ACGT"), "", trial::random_letters(random, 5'000, "ACGT"),
               trial::random_letters(random, 700, "ACGTRN")};
    for (char& letter : records[2]) letter = random.chance(20) ? static_cast<char>(letter | 0x20) : letter;
    text = trial::fasta_text(records, {});
    support::write_file(folder.path("r.fa"), text);
    support::write_file(folder.path("bgzf.fa"), text, support::Packing::bgzf);
    support::write_file(folder.path("gzip.fa"), text, support::Packing::gzip);
    const Reference reference = support::make_reference(records);
    ReadFormatOptions options;
    options.binary = true;
    options.paired = paired;
    options.read_group = "@RG\tID:g\tSM:s";
    const ReadFormatter formatter(reference, options);
    header_text = formatter.header_text();
    header = formatter.header();
    RowText out;
    for (std::size_t i = 0; i < reads; ++i) {
      Read read[2];
      Hit hits[2][2];
      std::string letters[2];
      std::string quality[2];
      const std::string name = fmt::format("read:{}", i);
      PlacedRead placed[2];
      for (int m = 0; m < 2; ++m) {
        const std::size_t record = random.chance(70) ? 0 : random.chance(50) ? 1 : 2;
        const std::string& whole = records[record == 0 ? 0 : record + 1];
        const std::size_t start = random.below(whole.size() - 100);
        letters[m] = whole.substr(start, 100);
        std::transform(letters[m].begin(), letters[m].end(), letters[m].begin(), ::toupper);
        for (char& letter : letters[m]) {
          if (random.chance(2)) letter = letter == 'A' ? 'C' : 'A';
        }
        std::uint16_t edits = 0;
        for (std::size_t at = 0; at < 100; ++at) {
          const char t = static_cast<char>(toupper(whole[start + at]));
          if (letters[m][at] != t || std::string("ACGT").find(t) == std::string::npos) ++edits;
        }
        const bool minus = random.chance(50);
        const Hit hit{
            support::position_of(reference, static_cast<std::int64_t>(record), static_cast<std::int64_t>(start)),
            100,
            minus ? 1U : 0U,
            0,
            edits,
            0};
        std::fill_n(hits[m], 2, hit);
        if (minus) {
          std::reverse(letters[m].begin(), letters[m].end());
          std::transform(letters[m].begin(), letters[m].end(), letters[m].begin(), [](char c) {
            const std::string from = "ACGTNR";
            const std::size_t place = from.find(c);
            return place == std::string::npos ? c : std::string("TGCANY")[place];
          });
        }
        for (int q = 0; q < 100; ++q) quality[m] += static_cast<char>('!' + random.below(41));
        if (random.chance(10)) quality[m].clear();
        read[m] = {name, letters[m], quality[m]};
        const std::size_t count = random.below(10) == 0 ? 0 : random.chance(90) ? 1 : 2;
        placed[m] = {&read[m], std::span<const Hit>(hits[m], count), count, 30};
      }
      formatter.append({placed, paired ? 2U : 1U}, out);
    }
    bam = out.view();
  }

  std::string temporaries() const { return folder.path("tmp"); }
  bool clean() const { return std::filesystem::is_empty(temporaries()); }

  void write(const std::string& path, int threads, const std::string& reference) const {
    CramFile file(path, threads, folder.path(reference));
    file.write_header(header_text);
    // Writes whole records, many at a time.
    std::string_view rest = bam;
    while (!rest.empty()) {
      std::size_t bytes = 0;
      while (bytes < rest.size() && bytes < 300'000) {
        std::int32_t size = 0;
        std::memcpy(&size, rest.data() + bytes, sizeof size);
        bytes += static_cast<std::size_t>(size) + sizeof size;
      }
      file.write(rest.substr(0, bytes));
      rest.remove_prefix(bytes);
    }
    file.commit();
  }

  support::ScratchFolder folder;
  support::Setting tmpdir{"TMPDIR", folder.path("tmp")};
  std::vector<std::string> records;
  std::string text;
  std::string header_text;
  std::string header;
  std::string bam;
};

// Returns a SAM line with its tags sorted, because CRAM does not keep their order.
std::string with_sorted_tags(const std::string& line) {
  std::vector<std::string> fields;
  std::istringstream in(line);
  for (std::string field; std::getline(in, field, '\t');) fields.push_back(field);
  std::sort(fields.begin() + 11, fields.end());
  std::string joined;
  for (const std::string& field : fields) joined += field + '\t';
  return joined;
}

std::vector<std::string> sorted_tags(const support::SamContent& content) {
  std::vector<std::string> lines = content.lines();
  std::transform(lines.begin(), lines.end(), lines.begin(), with_sorted_tags);
  return lines;
}

}  // namespace

TEST_CASE("CRAM holds what BAM does", "[cram]") {
  const bool paired = GENERATE(true, false);
  const Run run(12'000, paired);
  {
    OutputFile file(run.folder.path("a.bam"), 1, OutputCompression::bgzf);
    file.write(run.header);
    file.write(run.bam);
    file.commit();
  }
  const std::vector<std::string> expected = sorted_tags(support::read_sam(run.folder.path("a.bam")));
  REQUIRE(expected.size() > 10'000);
  // Asking for a record there would wait or fail.
  const support::Setting path("REF_PATH", "http://192.0.2.1:9/%s");
  const support::Setting cache("REF_CACHE", run.folder.path("cache/%s"));
  for (const char* reference : {"r.fa", "bgzf.fa"}) {
    for (const int threads : {1, 4}) {
      INFO(reference << ", threads: " << threads);
      run.write(run.folder.path("a.cram"), threads, reference);
      CHECK(run.clean());
      CHECK_FALSE(std::filesystem::exists(run.folder.path("r.fa.fai")));
      CHECK_FALSE(std::filesystem::exists(run.folder.path("bgzf.fa.fai")));
      CHECK_FALSE(std::filesystem::exists(run.folder.path("bgzf.fa.gzi")));
      const std::string bytes = support::read_file(run.folder.path("a.cram"));
      CHECK(bytes.substr(0, 6) == std::string("CRAM\3\0", 6));
      // HTSlib writes an index beside the reference when it reads the file.
      std::filesystem::copy_file(run.folder.path("r.fa"), run.folder.path("other.fa"),
                                 std::filesystem::copy_options::overwrite_existing);
      const support::SamContent cram = support::read_sam(run.folder.path("a.cram"), run.folder.path("other.fa"));
      const bool same = sorted_tags(cram) == expected;
      CHECK(same);
      const std::string header = sam_hdr_str(cram.header.get());
      CHECK(header.find("\tM5:") != std::string::npos);
      CHECK(header.find("\tUR:") == std::string::npos);
      CHECK(header.find(run.folder.path("")) == std::string::npos);
    }
  }
  CHECK_FALSE(std::filesystem::exists(run.folder.path("cache")));
}

TEST_CASE("CRAM without reads", "[cram]") {
  const Run run(0);
  run.write(run.folder.path("a.cram"), GENERATE(1, 4), "r.fa");
  CHECK(support::read_sam(run.folder.path("a.cram"), run.folder.path("r.fa")).records.empty());
  CHECK(run.clean());
}

TEST_CASE("CRAM: references that it refuses", "[cram]") {
  const Run run(10);
  const auto open = [&](const std::string& reference) {
    CramFile(run.folder.path("a.cram"), 1, reference).write_header(run.header_text);
  };
  CHECK_THROWS_AS(open("-"), UsageError);
  CHECK_THROWS_AS(open(run.folder.path("gzip.fa")), UsageError);
  CHECK_THROWS_AS(open("/dev/null"), UsageError);
  CHECK_THROWS_AS(open(run.folder.path("missing.fa")), IoError);
  CHECK_THROWS_AS(open(run.folder.path("")), IoError);
  // Lines that an index cannot describe; records that differ from those of the header.
  support::write_file(run.folder.path("ragged.fa"), ">r0\nACGT\nACGTACGT\nACG\n");
  CHECK_THROWS_AS(open(run.folder.path("ragged.fa")), DataError);
  support::write_file(run.folder.path("other.fa"), ">r0\nACGTACGT\n");
  CHECK_THROWS_AS(open(run.folder.path("other.fa")), DataError);
  support::write_file(run.folder.path("renamed.fa"), ">x0" + run.text.substr(3));
  CHECK_THROWS_AS(open(run.folder.path("renamed.fa")), DataError);
  CHECK(run.clean());
  CHECK_FALSE(std::filesystem::exists(run.folder.path("a.cram")));
  const support::Setting nowhere("TMPDIR", run.folder.path("nowhere"));
  CHECK_THROWS_AS(open(run.folder.path("r.fa")), IoError);
}

TEST_CASE("CRAM: references with odd file names", "[cram]") {
  const Run run(500);
  for (const std::string name : {"a b##idx##c.fa", "x.fai", "r.fa.gz"}) {
    std::filesystem::copy_file(run.folder.path("bgzf.fa"), run.folder.path(name));
    std::filesystem::create_symlink(name, run.folder.path("link"));
    run.write(run.folder.path("a.cram"), 1, "link");
    run.write(run.folder.path("b.cram"), 1, name);
    const bool same = support::read_file(run.folder.path("a.cram")) == support::read_file(run.folder.path("b.cram"));
    CHECK(same);
    std::filesystem::remove(run.folder.path("link"));
  }
  CHECK(run.clean());
}

TEST_CASE("CRAM: without commit nothing is left", "[cram]") {
  const Run run(3000);
  const int threads = GENERATE(1, 4);
  {
    CramFile file(run.folder.path("a.cram"), threads, run.folder.path("r.fa"));
    file.write_header(run.header_text);
    file.write(run.bam);
    CHECK_FALSE(run.clean());
  }
  CHECK(run.clean());
  CHECK(run.folder.names() == Names{"bgzf.fa", "gzip.fa", "r.fa", "tmp"});
}

TEST_CASE("CRAM: a full device", "[cram]") {
  if (access("/dev/full", W_OK) != 0) return;
  const int threads = GENERATE(1, 4);
  for (const std::size_t reads : {0, 100, 60'000}) {
    const Run run(reads);
    const auto write = [&] { run.write("/dev/full", threads, "r.fa"); };
    CHECK_THROWS_AS(write(), IoError);
    CHECK(run.clean());
  }
}

TEST_CASE("CRAM: a signal leaves nothing behind", "[cram]") {
  const Run run(3000);
  const int signal = GENERATE(SIGINT, SIGTERM);
  int ready[2];
  REQUIRE(pipe(ready) == 0);
  const pid_t child = fork();
  if (child == 0) {
    remove_temporaries_on_signals();
    CramFile file(run.folder.path("a.cram"), 1, run.folder.path("bgzf.fa"));
    file.write_header(run.header_text);
    file.write(run.bam);
    // Not pause(), in which ThreadSanitizer holds signals back.
    while (::write(ready[1], "x", 1) == 1) usleep(1000);
    _exit(1);
  }
  char byte;
  REQUIRE(read(ready[0], &byte, 1) == 1);
  CHECK_FALSE(run.clean());
  kill(child, signal);
  int status = 0;
  REQUIRE(waitpid(child, &status, 0) == child);
  CHECK((WIFSIGNALED(status) && WTERMSIG(status) == signal));
  CHECK(run.clean());
  CHECK(run.folder.names() == Names{"bgzf.fa", "gzip.fa", "r.fa", "tmp"});
  close(ready[0]);
  close(ready[1]);
}

}  // namespace basesweep::test_cram_file
