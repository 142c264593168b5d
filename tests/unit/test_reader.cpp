// The reader: what it hands out is the text of the files, cut where blocks may be cut, and what is damaged is refused.
#if __has_include(<catch2/catch_all.hpp>)
#include <catch2/catch_all.hpp>
#else
#include <catch2/catch.hpp>
#endif

#include <fcntl.h>
#include <htslib/bgzf.h>
#include <isa-l/igzip_lib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "lib/error.hpp"
#include "lib/reader/reader.hpp"

#ifdef __SANITIZE_ADDRESS__
// HTSlib before 1.17 loses 32 bytes when a thread meets damaged BGZF (samtools/htslib pull request 1529).
extern "C" __attribute__((weak)) const char* __lsan_default_suppressions() { return "leak:libhts"; }
#endif

namespace fs = std::filesystem;
using namespace basesweep;

namespace {

class Scratch {
 public:
  Scratch() {
    std::string name = (fs::temp_directory_path() / "basesweep-reader-XXXXXX").string();
    REQUIRE(::mkdtemp(name.data()) != nullptr);
    folder_ = name;
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  ~Scratch() { fs::remove_all(folder_); }

  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  std::string write(const std::string& name, const std::string& bytes) const {
    std::ofstream(path(name), std::ios::binary) << bytes;
    return path(name);
  }

 private:
  fs::path folder_;
};

std::string gzip(const std::string& text) {
  std::string out(text.size() + text.size() / 8 + 1024, '\0');
  isal_zstream stream{};
  isal_deflate_stateless_init(&stream);
  stream.gzip_flag = IGZIP_GZIP;
  stream.end_of_stream = 1;
  stream.flush = NO_FLUSH;
  stream.next_in = reinterpret_cast<std::uint8_t*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<std::uint32_t>(text.size());
  stream.next_out = reinterpret_cast<std::uint8_t*>(out.data());
  stream.avail_out = static_cast<std::uint32_t>(out.size());
  REQUIRE(isal_deflate_stateless(&stream) == COMP_OK);
  out.resize(stream.total_out);
  return out;
}

// Without the end-of-file block, which is bgzf_block("").
std::string bgzf_block(const std::string& text) {
  std::string out(BGZF_MAX_BLOCK_SIZE, '\0');
  std::size_t size = out.size();
  REQUIRE(bgzf_compress(out.data(), &size, text.data(), text.size(), 6) == 0);
  out.resize(size);
  return out;
}

std::string in_parts(const std::string& text, std::size_t part, const std::function<std::string(std::string)>& pack) {
  std::string out;
  for (std::size_t at = 0; at < text.size(); at += part) out += pack(text.substr(at, part));
  return out;
}

std::string bgzf(const std::string& text, std::size_t part = 70) {
  return in_parts(text, part, bgzf_block) + bgzf_block("");
}

struct Packing {
  std::string name;
  std::function<std::string(const std::string&)> pack;
  int threads;
};

const std::vector<Packing>& packings() {
  static const std::vector<Packing> all = {
      {"plain", [](const std::string& text) { return text; }, 1},
      {"gzip", [](const std::string& text) { return gzip(text); }, 1},
      {"gzip, many members", [](const std::string& text) { return in_parts(text, 50, gzip); }, 1},
      {"BGZF", [](const std::string& text) { return bgzf(text); }, 1},
      {"BGZF, threads", [](const std::string& text) { return bgzf(text); }, 3},
  };
  return all;
}

std::vector<RawBlock> read_all(const ReaderOptions& options) {
  Reader reader(options);
  std::vector<RawBlock> blocks;
  while (auto block = reader.next()) blocks.push_back(std::move(*block));
  return blocks;
}

std::string text_of(const RawBlock& block) {
  std::vector<char> scratch;
  const auto text = block.text(scratch);
  return {text.begin(), text.end()};
}

std::string without_breaks(std::string text) {
  std::erase_if(text, [](char c) { return c == '\n' || c == '\r'; });
  return text;
}

// What is wrong with the blocks of a FASTA text; "" when nothing is.
std::string fasta_fault(const std::vector<RawBlock>& blocks, const std::string& text) {
  std::size_t at = std::min(text.find('>'), text.size());
  std::uint64_t number = 0;
  for (const RawBlock& block : blocks) {
    const std::string where = "block " + std::to_string(number) + " at " + std::to_string(at) + ": ";
    if (block.number != number++) return where + "number";
    if (block.format != Format::fasta) return where + "format";
    if (block.size == 0) return where + "empty";
    if (block.file_offset != static_cast<std::int64_t>(at)) return where + "offset";
    if (text_of(block) != text.substr(at, block.size)) return where + "text";
    const bool first = number == 1;
    if (block.inside_line == (first || text[at - 1] == '\n')) return where + "inside_line";
    if (block.inside_line && text[text.rfind('\n', at - 1) + 1] == '>') return where + "begins in a title";
    at += block.size;
  }
  return at == text.size() ? "" : "ends at " + std::to_string(at);
}

struct Read {
  std::string name, sequence;
  bool operator==(const Read&) const = default;
};

std::string fastq_fault(const std::vector<RawBlock>& blocks, const std::string& text, const std::vector<Read>& truth) {
  std::vector<Read> found;
  for (const RawBlock& block : blocks) {
    const std::string own = text_of(block);
    if (block.format != Format::fastq || block.inside_line || block.file != nullptr) return "kind";
    if (block.records.empty()) return "no records";
    if (own.front() != '@' && own.front() != '\n' && own.front() != '\r') return "begin";
    if (own != text.substr(static_cast<std::size_t>(block.file_offset), block.size)) return "text or offset";
    for (const FastqRecord& r : block.records) {
      found.push_back({own.substr(r.name_begin, r.name_end - r.name_begin),
                       without_breaks(own.substr(r.sequence_begin, r.sequence_end - r.sequence_begin))});
      if (own[r.name_begin - 1] != '@') return "name";
    }
  }
  return found == truth ? "" : "records differ";
}

// The error `read_all` ends with; "" when it does not.
std::string error_of(const ReaderOptions& options) {
  try {
    read_all(options);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

void check_error(const std::string& what, const std::vector<std::string>& parts) {
  for (const std::string& part : parts) {
    INFO("message: " << what << "\nexpected: " << part);
    CHECK(what.find(part) != std::string::npos);
  }
}

std::string random_dna(std::size_t size, std::mt19937& random) {
  std::string out(size, 'A');
  for (char& c : out) c = "ACGTN"[random() % 5];
  return out;
}

// Any mixture of titles, lines and breaks that begins with '>' and has no title over `max_title_bytes`.
std::string random_fasta(std::size_t size, std::size_t max_title_bytes, std::mt19937& random) {
  std::string text = ">";
  std::size_t line = 0;
  while (text.size() < size) {
    text += "ACGTacgtn>>\n\n\r "[random() % (random() % 8 == 0 ? 15 : 10)];
    if (text.size() - line >= max_title_bytes && text[line] == '>') text += '\n';
    if (text.back() == '\n') line = text.size();
  }
  return text;
}

std::string wrapped(const std::string& text, std::size_t width, const std::string& end) {
  std::string out;
  for (std::size_t at = 0; at == 0 || at < text.size(); at += width) out += text.substr(at, width) + end;
  return out;
}

std::string random_fastq(std::size_t records, bool multi_line, std::vector<Read>& truth, std::mt19937& random) {
  const std::string end = random() % 2 == 0 ? "\n" : "\r\n";
  std::string text;
  for (std::size_t i = 0; i < records; ++i) {
    const Read read{"r" + std::to_string(i), random_dna(random() % 40, random)};
    std::string quality(read.sequence.size(), 'I');
    for (char& c : quality) c = "@+I!>"[random() % 5];
    const std::size_t width = multi_line ? 1 + random() % 20 : 1000;
    text += "@" + read.name +
            (random() % 2 == 0   ? ""
             : random() % 2 == 0 ? " @more"
                                 : "\tmore") +
            end + wrapped(read.sequence, width, end) + "+" + (random() % 2 == 0 ? "" : read.name) + end +
            wrapped(quality, multi_line && random() % 2 == 0 ? 1 + random() % 20 : width, end);
    if (random() % 10 == 0) text += end;
    truth.push_back(read);
  }
  if (random() % 2 == 0) text.erase(text.find_last_not_of("\r\n") + 1);
  // An empty quality may now lack its line, and the '+' line its break: that is allowed at the end.
  return text;
}

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

TEST_CASE("FASTA blocks are the text, cut at line starts or inside sequence lines", "[reader]") {
  const Scratch scratch;
  std::mt19937 random(7);
  const std::string dna = random_dna(500, random);
  const std::vector<std::string> texts = {
      ">a one\nACGT\nACG\n>b\n\n>c\nA\n",
      ">a\r\nACGT\r\nAC\r\n\r\n>b two\r\nACGTACGT\r\n",
      ">only a title",
      ">",
      ">\n",
      ">a\nACGT\n>last title, no break",
      "\n \t\r\n\n>a\nAC\n",
      ">a\n" + dna + "\n" + dna + "\n>" + std::string(290, 't') + "\n" + dna,
      ">a\n" + dna + dna + "\n>b > c\nAC>GT\n\n\n" + dna,
      ">" + std::string(280, 'x') + "\n>" + std::string(300, 'y') + "\nAC\n>" + std::string(200, 'z'),
  };
  for (std::size_t t = 0; t < texts.size(); ++t) {
    for (const Packing& packing : packings()) {
      const std::string path = scratch.write("in", packing.pack(texts[t]));
      for (std::size_t size = 1; size <= 300; size += packing.threads > 1 ? 41 : 1) {
        const auto blocks =
            read_all({.paths = {path}, .block_bytes = size, .threads = packing.threads, .max_title_bytes = 310});
        const std::string fault = fasta_fault(blocks, texts[t]);
        if (!fault.empty()) FAIL_CHECK("text " << t << ", " << packing.name << ", size " << size << ": " << fault);
        if (packing.name == "plain" && blocks.at(0).file == nullptr) FAIL_CHECK("a plain file's text is held");
      }
    }
  }
}

TEST_CASE("FASTA blocks of random text", "[reader]") {
  const Scratch scratch;
  for (unsigned seed = 0; seed < 60; ++seed) {
    std::mt19937 random(seed);
    const std::size_t max_title = 1 + random() % 30;
    const std::string text = random_fasta(1 + random() % 300, max_title, random);
    for (const Packing& packing : {packings()[0], packings()[1], packings()[3]}) {
      const std::string path = scratch.write("in", packing.pack(text));
      for (std::size_t size = 1; size <= 80; ++size) {
        const std::string fault =
            fasta_fault(read_all({.paths = {path}, .block_bytes = size, .max_title_bytes = max_title}), text);
        if (!fault.empty()) FAIL_CHECK("seed " << seed << ", " << packing.name << ", size " << size << ": " << fault);
      }
    }
  }
}

TEST_CASE("A cut never falls into a title of the greatest length", "[reader]") {
  const Scratch scratch;
  std::mt19937 random(3);
  for (const std::size_t title : {255U, 256U, 257U, 4095U, 4096U, 4097U, 30000U}) {
    const std::string text = ">a\n" + random_dna(9000, random) + "\n>" + std::string(title - 1, 't') + "\n" +
                             random_dna(40000, random) + "\n>b\n" + random_dna(100, random);
    for (const Packing& packing : {packings()[0], packings()[1]}) {
      const std::string path = scratch.write("in", packing.pack(text));
      std::vector<std::size_t> sizes;
      for (std::size_t size = 1000; size < 50000; size += size < 15000 ? 97 : 997) sizes.push_back(size);
      // The first cut on and around the ends of the title.
      for (const std::size_t end : {text.find(">t"), text.find("t\n") + 1})
        for (std::size_t size = end - 2; size <= end + 2; ++size) sizes.push_back(size);
      for (const std::size_t size : sizes) {
        const std::string fault =
            fasta_fault(read_all({.paths = {path}, .block_bytes = size, .max_title_bytes = title}), text);
        if (!fault.empty()) FAIL_CHECK("title " << title << ", " << packing.name << ", size " << size << ": " << fault);
      }
    }
  }
}

TEST_CASE("FASTQ blocks hold the records", "[reader]") {
  const Scratch scratch;
  for (unsigned seed = 0; seed < 12; ++seed) {
    std::mt19937 random(seed);
    std::vector<Read> truth;
    const std::string text =
        (seed % 3 == 0 ? "\r\n \n" : "") + random_fastq(1 + random() % 20, seed % 2, truth, random);
    for (const Packing& packing : packings()) {
      const std::string path = scratch.write("in", packing.pack(text));
      for (std::size_t size = 1; size <= 300; size += packing.threads > 1 ? 41 : 1 + size / 50) {
        const std::string fault =
            fastq_fault(read_all({.paths = {path}, .block_bytes = size, .threads = packing.threads}), text, truth);
        if (!fault.empty()) FAIL("seed " << seed << ", " << packing.name << ", size " << size << ": " << fault);
      }
    }
  }
}

TEST_CASE("FASTQ records of every odd shape", "[reader]") {
  const Scratch scratch;
  const std::vector<std::pair<std::string, std::vector<Read>>> cases = {
      {"@a\n\n+\n\n@b\nAC\n+\nII\n", {{"a", ""}, {"b", "AC"}}},
      {"@a\n+\n\n@b x\nAC\n+b x\nII", {{"a", ""}, {"b", "AC"}}},
      {"@a\n\n+\n", {{"a", ""}}},
      {"@a\n\n+", {{"a", ""}}},
      {"@\nA\n+\nI\n\n\n", {{"", "A"}}},
      {"@a\nAC\nGT\n+\n@@\n+@\n", {{"a", "ACGT"}}},
      {"@a\nACG\n+\nI\nI\n\nI\n@b\nA\n+\n@\n", {{"a", "ACG"}, {"b", "A"}}},
      // The quality's third line begins where a one-line quality would have its line break.
      {"@a\nACGTA\n+\nII\nII\nI\n@b\nA\n+\nI\n", {{"a", "ACGTA"}, {"b", "A"}}},
      {"@a\r\nACGT\r\n+\r\nIIII\r\n", {{"a", "ACGT"}}},
  };
  for (const auto& [text, truth] : cases) {
    const std::string path = scratch.write("in", text);
    for (std::size_t size = 1; size < 60; ++size) {
      INFO("text: " << text << "\nsize " << size);
      CHECK(fastq_fault(read_all({.paths = {path}, .block_bytes = size}), text, truth) == "");
    }
  }
}

TEST_CASE("FASTQ errors name path, record and line", "[reader]") {
  const Scratch scratch;
  const std::string good = "@r1\nACGT\n+\nIIII\n";
  const std::vector<std::pair<std::string, std::vector<std::string>>> cases = {
      {"@x\nACGTAC\n+\nIIIII\n@y\nACGT\n+\nIIII\n",
       {"record 'x' (line 1)", "quality has 5 characters, sequence has 6"}},
      {good + "@x y\nACGT\n+\nIIIII\n", {"record 'x' (line 5)", "quality has 5 characters, sequence has 4"}},
      {good + "@x\nACGT\n+\n\n@y\nACGT\n+\nIIII\n",
       {"record 'x' (line 5)", "quality has 0 characters, sequence has 4"}},
      {good + "\n\n@x\nACGT\n@y\nACGT\n+\nIIII\n", {"record 'x' (line 7)", "no '+' line"}},
      {good + "ACGT\n", {"line 5: expected '@'", "'A'"}},
      {good + "@x", {"record 'x' (line 5)", "truncated", "before the sequence"}},
      {good + "@x\nACGT", {"record 'x' (line 5)", "truncated", "before the '+' line"}},
      {good + "@x\nAC\nGT\n+", {"record 'x' (line 5)", "quality has 0 characters, sequence has 4, and the text ends"}},
      {good + "@x\nACGT\n+\nII",
       {"record 'x' (line 5)", "quality has 2 characters, sequence has 4, and the text ends"}},
      {good + "@" + std::string(200, 'x') + "\nA\n+\nI\n", {"line 5: header line longer than 100 bytes"}},
      {good + "@" + std::string(200, 'x'), {"line 5: header line longer than 100 bytes"}},
  };
  for (const auto& [text, parts] : cases) {
    for (const Packing& packing : {packings()[0], packings()[1]}) {
      const std::string path = scratch.write("in", packing.pack(text));
      for (std::size_t size = 1; size < 60; size += 3) {
        const ReaderOptions options{.paths = {path}, .block_bytes = size, .max_title_bytes = 100};
        CHECK_THROWS_AS(read_all(options), DataError);
        check_error(error_of(options), {path + ": "});
        check_error(error_of(options), parts);
      }
    }
  }
}

TEST_CASE("What is neither FASTA nor FASTQ is refused, what is empty only warned of", "[reader]") {
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

TEST_CASE("A title that is too long is refused before it fills the memory", "[reader]") {
  const Scratch scratch;
  for (const std::string& tail : {std::string(), std::string("\nACGT\n")}) {
    const std::string text = ">" + std::string(100, 't') + tail;  // 101 bytes
    for (const Packing& packing : {packings()[0], packings()[1]}) {
      const std::string path = scratch.write("in", packing.pack(text));
      for (std::size_t size = 1; size <= 90; ++size) {
        const ReaderOptions options{.paths = {path}, .block_bytes = size, .max_title_bytes = 100};
        CHECK_THROWS_AS(read_all(options), DataError);
        check_error(error_of(options), {path + ": ", "header line longer than 100 bytes"});
        CHECK_NOTHROW(read_all({.paths = {path}, .block_bytes = size, .max_title_bytes = 101}));
      }
    }
  }
}

TEST_CASE("Truncated compressed data is never taken for whole", "[reader]") {
  const Scratch scratch;
  std::mt19937 random(5);
  const std::string text = ">a\n" + random_dna(200, random) + "\n>b\n" + random_dna(50, random) + "\n";
  const std::string one = gzip(text);
  for (std::size_t size = 1; size < one.size(); ++size) {
    const std::string path = scratch.write("in", one.substr(0, size));
    INFO("gzip, " << size << " of " << one.size());
    CHECK_THROWS_AS(read_all({.paths = {path}, .block_bytes = 1 + size % 100}), DataError);
    if (size > 1) check_error(error_of({.paths = {path}}), {path + ": truncated gzip data"});
  }
  const std::string blocks = bgzf(text);
  for (const int threads : {1, 3}) {
    for (std::size_t size = 1; size < blocks.size(); size += threads) {
      const std::string path = scratch.write("in", blocks.substr(0, size));
      INFO("BGZF, " << size << " of " << blocks.size() << ", threads " << threads);
      CHECK_THROWS_AS(read_all({.paths = {path}, .block_bytes = 1 + size % 100, .threads = threads}), DataError);
    }
    const std::string path = scratch.write("in", blocks.substr(0, blocks.size() - bgzf_block("").size()));
    for (const std::size_t size : {std::size_t{1}, text.size(), std::size_t{1} << 19})
      check_error(error_of({.paths = {path}, .block_bytes = size, .threads = threads}),
                  {path + ": truncated BGZF: no end-of-file block"});
  }
}

TEST_CASE("Damaged compressed data is refused, or does not matter", "[reader]") {
  const Scratch scratch;
  std::mt19937 random(6);
  const std::string text = ">a\n" + random_dna(150, random) + "\n>b\n" + random_dna(50, random) + "\n";
  for (const Packing& packing : packings()) {
    const std::string good = packing.pack(text);
    if (packing.name == "plain") continue;
    for (std::size_t i = 0; i < good.size(); i += packing.threads) {
      std::string bad = good;
      bad[i] = static_cast<char>(bad[i] ^ (1 << random() % 8));
      const std::string path = scratch.write("in", bad);
      try {
        const std::string fault = fasta_fault(read_all({.paths = {path}, .threads = packing.threads}), text);
        if (!fault.empty()) FAIL_CHECK(packing.name << ", byte " << i << " passed unnoticed: " << fault);
      } catch (const DataError&) {
      }
    }
  }
  std::string bad = gzip(text);
  bad[bad.size() - 6] ^= 1;
  const std::string path = scratch.write("in", bad);
  check_error(error_of({.paths = {path}}), {path + ": damaged gzip data", "compressed byte", "wrong checksum"});
}

TEST_CASE("gzip members of any kind are read to the end", "[reader]") {
  const Scratch scratch;
  std::mt19937 random(8);
  const std::string a = ">a\n" + random_dna(300, random) + "\n", b = ">b\n" + random_dna(30, random) + "\n";
  const std::string end = bgzf_block("");
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"gzip, BGZF", gzip(a) + bgzf(b)},
      {"BGZF, BGZF", bgzf(a) + bgzf(b)},
      {"BGZF, gzip", bgzf(a) + gzip(b)},
      {"BGZF without end, gzip", bgzf_block(a) + gzip(b)},
      {"empty members", gzip("") + gzip(a) + gzip("") + gzip("") + gzip(b) + gzip("")},
      {"empty blocks", end + end + bgzf(a) + end + end + bgzf(b)},
      {"padding", gzip(a) + gzip(b) + std::string(1000, '\0')},
  };
  for (const auto& [name, bytes] : cases) {
    const std::string path = scratch.write("in", bytes);
    for (const int threads : {1, 3}) {
      for (const std::size_t size : {std::size_t{50}, (a + b).size(), std::size_t{1} << 19}) {
        INFO(name << ", threads " << threads << ", size " << size);
        std::string fault;
        CHECK_NOTHROW(fault = fasta_fault(read_all({.paths = {path}, .block_bytes = size, .threads = threads}), a + b));
        CHECK(fault == "");
      }
    }
  }
  for (const std::string& tail : {std::string("x"), std::string(10, '\0') + "x", std::string(3, '\0') + gzip(b)}) {
    const std::string path = scratch.write("in", gzip(a) + tail);
    CHECK_THROWS_AS(read_all({.paths = {path}}), DataError);
    check_error(error_of({.paths = {path}}), {path + ": damaged gzip data: something else follows at compressed byte"});
  }
}

TEST_CASE("gzip members may lie across the input buffer in any way", "[reader]") {
  const Scratch scratch;
  std::mt19937 random(9);
  std::vector<std::pair<std::string, std::string>> members;
  for (int i = 0; i < 50; ++i) {
    const std::string text = random_dna(random() % (i % 5 == 0 ? 3000 : 40), random) + "\n";
    members.emplace_back(text, gzip(text));
  }
  for (int round = 0; round < 8; ++round) {
    std::string text = ">a\n", packed = gzip(text);
    while (packed.size() < (1U << 20)) {
      const auto& [part, part_packed] = members[random() % members.size()];
      text += part;
      packed += part_packed;
    }
    const auto file = InputFile::open(scratch.write("in", packed), 1);
    REQUIRE(file->compression() == Compression::gzip);
    std::string found(text.size() + 10, '\0');
    std::size_t at = 0;
    while (const std::size_t got =
               file->read(found.data() + at, std::min<std::size_t>(1 + random() % 100000, found.size() - at)))
      at += got;
    found.resize(at);
    CHECK((found == text));
  }
}

TEST_CASE("Pipes and standard input", "[reader]") {
  const Scratch scratch;
  std::mt19937 random(10);
  std::vector<Read> truth;
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
        struct stat status {};  // only the size of a regular file tells what to expect
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
    CHECK(reader.sources().size() == source + 1);
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

TEST_CASE("A path that cannot be read is told at once, and many files hold no descriptors", "[reader]") {
  const Scratch scratch;
  const std::string good = scratch.write("good", ">a\nA\n");
  const std::string missing = scratch.path("missing");
  CHECK_THROWS_AS(Reader({.paths = {good, missing}}), IoError);
  check_error(error_of({.paths = {good, missing}}), {missing + ": cannot open: No such file or directory"});
  CHECK_THROWS_AS(Reader({.paths = {fs::temp_directory_path().string()}}), IoError);
  check_error(error_of({.paths = {fs::temp_directory_path().string()}}), {"Is a directory"});
  CHECK_THROWS_AS(InputFile::open(missing, 1), IoError);
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

TEST_CASE("A file that shrinks under its blocks is an error", "[reader]") {
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
