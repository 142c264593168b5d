// The reader: files, pipes and standard input, one after another; input that is not a sequence file.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "lib/reader/open_input.hpp"
#include "tests/support/reader.hpp"

namespace basesweep::test_reader {

using namespace reader_test;

namespace {

struct StdinFrom {
  explicit StdinFrom(int fd) : saved(::dup(0)) { ::dup2(fd, 0); }
  StdinFrom(const StdinFrom&) = delete;
  StdinFrom& operator=(const StdinFrom&) = delete;
  ~StdinFrom() {
    ::dup2(saved, 0);
    ::close(saved);
  }
  int saved;
};

}  // namespace

TEST_CASE("Input that is neither FASTA nor FASTQ is refused; empty input gives a warning", "[reader]") {
  const Scratch scratch;
  for (const char* sequence : {"\n\nACGT\n", "\n \r\n-", "\n\n*", "\n\n.\n"}) {
    const std::string path = scratch.write("in", sequence);
    CHECK_THROWS_AS(read_all({.paths = {path}}), DataError);
    check_error(error_of({.paths = {path}}), {path + ": line 3: sequence before the first header ('>' or '@')"});
  }
  const std::string path = scratch.write("in", "  \x07>a\n");
  CHECK_THROWS_AS(read_all({.paths = {path}}), DataError);
  check_error(error_of({.paths = {path}}),
              {path + ": neither FASTA nor FASTQ: expected '>' or '@', found 0x07 at byte 2"});

  for (const std::string& empty : {std::string(), std::string("\n \r\n\t"), std::string(10000, '\n')}) {
    for (const Packing& packing : packings()) {
      std::vector<std::string> warnings;
      Reader reader({.paths = {scratch.write("in", packing.pack(empty))},
                     .threads = packing.threads,
                     .warn = [&](const std::string& what) { warnings.push_back(what); }});
      CHECK_FALSE(reader.next());
      CHECK(warnings == std::vector<std::string>{path + ": no sequence: the file is empty"});
      CHECK_FALSE(reader.sources().at(0).format);
    }
  }
  const std::string deep = std::string(10000, '\n') + ">a\nAC\n";
  CHECK(fasta_fault(read_all({.paths = {scratch.write("in", gzip(deep))}, .block_bytes = 3}), deep) == "");
  check_error(error_of({.paths = {scratch.write("in", std::string(10000, '\n') + "A")}}), {"line 10001"});
}

TEST_CASE("Pipes and standard input", "[reader]") {
  const Scratch scratch;
  std::mt19937 random(10);
  std::vector<FastqRead> truth;
  const std::string fastq = random_fastq(300, true, truth, random);
  const std::string fasta = random_fasta(200000, 50, random);
  const std::string fifo = scratch.path("fifo");
  REQUIRE(::mkfifo(fifo.c_str(), 0600) == 0);
  for (const Packing& packing : packings()) {
    for (const bool is_fastq : {false, true}) {
      INFO(packing.name << (is_fastq ? ", FASTQ" : ", FASTA"));
      const std::string& text = is_fastq ? fastq : fasta;
      const std::string packed = packing.name.starts_with("BGZF") ? bgzf(text, 30000) : packing.pack(text);
      const auto fault = [&](const std::string& path) {
        Reader reader({.paths = {path}, .block_bytes = 5000, .threads = packing.threads});
        struct stat status {};  // only a regular file has a size to compare with
        REQUIRE((path == "-" ? ::fstat(STDIN_FILENO, &status) : ::stat(path.c_str(), &status)) == 0);
        CHECK(reader.expected_bases().has_value() == S_ISREG(status.st_mode));
        std::vector<RawBlock> blocks;
        while (auto block = reader.next()) blocks.push_back(std::move(*block));
        CHECK(reader.sources().at(0).path == (path == "-" ? "<stdin>" : path));
        return is_fastq ? fastq_fault(blocks, text, truth) : fasta_fault(blocks, text);
      };
      {
        std::thread writer([&] { std::ofstream(fifo, std::ios::binary) << packed; });
        CHECK(fault(fifo) == "");
        writer.join();
      }
      {
        int ends[2];
        REQUIRE(::pipe(ends) == 0);
        std::thread writer([&] {
          std::size_t at = 0;
          while (at < packed.size()) {
            const ssize_t put = ::write(ends[1], packed.data() + at, std::min<std::size_t>(777, packed.size() - at));
            if (put <= 0) break;
            at += static_cast<std::size_t>(put);
          }
          ::close(ends[1]);
        });
        const StdinFrom redirected(ends[0]);
        CHECK(fault("-") == "");
        writer.join();
        ::close(ends[0]);
      }
      for (const std::string& read_before : {std::string(), std::string("a line before\n")}) {
        const int fd = ::open(scratch.write("in", read_before + packed).c_str(), O_RDONLY);
        REQUIRE(fd >= 0);
        REQUIRE(::lseek(fd, static_cast<off_t>(read_before.size()), SEEK_SET) >= 0);
        const StdinFrom redirected(fd);
        CHECK(fault("-") == "");
        ::close(fd);
      }
    }
  }
  // Truncation is seen on a pipe too.
  for (const int threads : {1, 3}) {
    std::thread writer([&] { std::ofstream(fifo, std::ios::binary) << in_parts(fasta, 30000, bgzf_block); });
    check_error(error_of({.paths = {fifo}, .threads = threads}), {fifo + ": truncated BGZF: no end-of-file block"});
    writer.join();
  }
}

TEST_CASE("Files follow each other in order", "[reader]") {
  const Scratch scratch;
  const std::string one = ">a\nACGT\n>b\nACGT", two = "@r\nAC\n+\nII\n", three = ">c\nA\n";
  std::vector<std::string> warnings;
  Reader reader({.paths = {scratch.write("1", one), scratch.write("2", gzip(two)), scratch.write("3", ""),
                           scratch.write("4", bgzf(three)), scratch.write("5", two)},
                 .block_bytes = 5,
                 .warn = [&](const std::string& what) { warnings.push_back(what); }});
  std::vector<std::string> texts(5);
  std::uint64_t number = 0;
  std::uint32_t source = 0;
  while (auto block = reader.next()) {
    CHECK(block->number == number++);
    CHECK(block->source >= source);
    source = block->source;
    CHECK(reader.sources().size() == 5);
    for (std::size_t i = 0; i < 5; ++i) CHECK(reader.sources()[i].format.has_value() == (i <= source && i != 2));
    texts.at(source) += text_of(*block);
  }
  CHECK_FALSE(reader.next());
  CHECK(texts == std::vector<std::string>{one, two, "", three, two});
  CHECK(warnings.size() == 1);
  REQUIRE(reader.sources().size() == 5);
  CHECK(reader.sources()[0].compression == Compression::none);
  CHECK(reader.sources()[1].compression == Compression::gzip);
  CHECK(reader.sources()[3].compression == Compression::bgzf);
  CHECK(reader.sources()[0].format == Format::fasta);
  CHECK(reader.sources()[1].format == Format::fastq);
  CHECK_FALSE(reader.sources()[2].format.has_value());
  CHECK(reader.expected_bases() ==
        static_cast<std::int64_t>(one.size() + 4 * gzip(two).size() + 4 * bgzf(three).size() + two.size()));
  CHECK(Reader({.paths = {scratch.path("1"), scratch.path("3"), scratch.path("5")}}).expected_bases() ==
        static_cast<std::int64_t>(one.size() + two.size()));
}

TEST_CASE("A path that cannot be read is reported at once, and waiting files hold no descriptors", "[reader]") {
  const Scratch scratch;
  const std::string good = scratch.write("good", ">a\nA\n");
  const std::string missing = scratch.path("missing");
  CHECK_THROWS_AS(Reader({.paths = {good, missing}}), IoError);
  check_error(error_of({.paths = {good, missing}}), {missing + ": cannot open: No such file or directory"});
  CHECK_THROWS_AS(Reader({.paths = {fs::temp_directory_path().string()}}), IoError);
  check_error(error_of({.paths = {fs::temp_directory_path().string()}}), {"Is a directory"});
  CHECK_THROWS_AS(open_input(missing, 1), IoError);
  CHECK_THROWS_AS(Reader({.paths = {"-", good, "-"}}), UsageError);
  if (::geteuid() != 0) {
    fs::permissions(good, fs::perms::none);
    CHECK_THROWS_AS(Reader({.paths = {good}}), IoError);
    fs::permissions(good, fs::perms::owner_all);
  }

  const auto descriptors = [] {
    return std::distance(fs::directory_iterator("/proc/self/fd"), fs::directory_iterator());
  };
  if (fs::exists("/proc/self/fd")) {
    const auto before = descriptors();
    Reader reader({.paths = std::vector<std::string>(300, good)});
    CHECK(descriptors() == before);
    while (reader.next()) CHECK(descriptors() <= before + 2);
  }
}

TEST_CASE("A file that shrinks while it is read is an error", "[reader]") {
  const Scratch scratch;
  const std::string path = scratch.write("in", ">a\n" + std::string(1000, 'A'));
  Reader reader({.paths = {path}});
  const auto block = reader.next();
  REQUIRE(block);
  REQUIRE(block->file != nullptr);
  CHECK(block->file->seekable());
  fs::resize_file(path, 500);
  std::vector<char> buffer;
  CHECK_THROWS_AS(block->text(buffer), IoError);
}

TEST_CASE("The first block can be read ahead, and its fault comes with next()", "[reader]") {
  const Scratch scratch;
  Reader reader({.paths = {scratch.write("in", ">a\nACGT\n>b\nAC\n")}, .block_bytes = 8});
  std::vector<char> memory;
  REQUIRE(reader.first_block() != nullptr);
  const std::span<const char> ahead = reader.first_block()->text(memory);
  const std::string first(ahead.begin(), ahead.end());
  std::string all;
  std::uint64_t number = 0;
  while (const auto block = reader.next()) {
    CHECK(block->number == number++);
    std::vector<char> scratch_text;
    const std::span<const char> text = block->text(scratch_text);
    if (all.empty()) CHECK(std::string(text.begin(), text.end()) == first);
    all.append(text.begin(), text.end());
  }
  CHECK(all == ">a\nACGT\n>b\nAC\n");

  Reader faulty({.paths = {scratch.write("in", "ACGT\n")}});
  CHECK(faulty.first_block() == nullptr);
  CHECK(faulty.first_block() == nullptr);
  CHECK_THROWS_AS(faulty.next(), DataError);
  Reader empty({.paths = {scratch.write("in", "")}});
  CHECK(empty.first_block() == nullptr);
  CHECK_FALSE(empty.next());
}

}  // namespace basesweep::test_reader
