// The reader returns all text before a fault, then throws the error, wherever blocks are cut.
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "lib/reader/open_input.hpp"
#include "tests/support/reader.hpp"

namespace basesweep::test_reader_faults {

using namespace reader_test;

namespace {

struct Outcome {
  std::vector<RawBlock> blocks;
  std::string text;   // all text of the blocks
  std::string error;  // "" when there was none
};

Outcome read_to_fault(const ReaderOptions& options) {
  Reader reader(options);
  Outcome outcome;
  try {
    while (auto block = reader.next()) {
      outcome.text += text_of(*block);
      outcome.blocks.push_back(std::move(*block));
    }
  } catch (const DataError& error) {
    outcome.error = error.what();
    if (!outcome.blocks.empty()) CHECK_THROWS_AS(reader.next(), DataError);  // and gives no text
  }
  return outcome;
}

// Reads an InputFile, `size` bytes at a time. Returns the bytes before it throws, and the error.
std::string inflated(const std::string& path, std::size_t size, int threads, std::string& error) {
  const auto file = open_input(path, threads);
  std::string text, part(size, '\0');
  error.clear();
  try {
    while (const std::size_t got = file->read(part.data(), size)) text += part.substr(0, got);
  } catch (const DataError& fault) {
    error = fault.what();
  }
  return text;
}

const std::vector<std::size_t> kReadSizes = {1, 7, 1000, 4096, 32768, 65536, 70000, 1U << 19};

// Returns the bytes that can be decompressed, and the error. Checks that any read size and number of threads give the
// same.
std::string inflated_alike(const Scratch& scratch, const std::string& bytes, const std::vector<int>& threads,
                           const std::string& part_of_error) {
  const std::string path = scratch.write("in", bytes);
  std::string error, first_error;
  std::string first = inflated(path, std::size_t{1} << 19, 1, first_error);
  check_error(first_error, {path + ": ", part_of_error});
  for (const int helpers : threads) {
    for (const std::size_t size : kReadSizes) {
      INFO("read size " << size << ", threads " << helpers);
      const std::string text = inflated(path, size, helpers, error);
      CHECK(text.size() == first.size());
      CHECK((text == first));
      CHECK(error == first_error);
    }
  }
  return first;
}

// Returns the part of `text` that the reader must return before a fault: all but an incomplete title.
std::string without_broken_title(const std::string& text) {
  const std::size_t line = text.rfind('\n') + 1;
  return line < text.size() && text[line] == '>' ? text.substr(0, line) : text;
}

// Reads a FASTA file whose decompressed part is `text`.
void check_fasta_blocks(const std::string& path, const std::string& text) {
  for (const int threads : {1, 3}) {
    for (std::size_t size = 1; size <= 2 * text.size() + 2; size += 1 + size / (threads > 1 ? 2 : 8)) {
      const Outcome found = read_to_fault({.paths = {path}, .block_bytes = size, .threads = threads});
      INFO("block size " << size << ", threads " << threads << ", error " << found.error);
      CHECK(fasta_fault(found.blocks, without_broken_title(text)) == "");
      CHECK(found.error != "");
    }
  }
}

std::string fasta_of(std::size_t records, std::size_t letters, std::mt19937& random) {
  std::string text;
  for (std::size_t i = 0; i < records; ++i)
    text += ">record" + std::to_string(i) + "\n" + wrapped(random_dna(letters, random), 60, "\n");
  return text;
}

}  // namespace

TEST_CASE("FASTQ records before a broken one are returned, then its error", "[reader]") {
  const Scratch scratch;
  const std::vector<std::pair<std::string, std::string>> faults = {
      {"@bad\nACGT\n+\nIII\n@next\nA\n+\nI\n", "record 'bad'"},
      {"@bad\nACGT\n+\nIIIIII\n@next\nA\n+\nI\n", "record 'bad'"},
      {"@bad\nACGT\n@next\nA\n+\nI\n", "record 'bad'"},
      {"ACGT\n", "expected '@'"},
      {"@bad\nACGT\n+\nII", "record 'bad'"},
      {"@bad", "record 'bad'"},
      {"@" + std::string(200, 'x') + "\nA\n+\nI\n", "header line longer than 100 bytes"},
  };
  unsigned seed = 0;
  for (const auto& [fault, message] : faults) {
    std::mt19937 random(++seed);
    std::vector<FastqRead> truth;
    // Blank lines complete the last record where the generator left out its end.
    const std::string text = random_fastq(1 + random() % 12, seed % 2, truth, random) + "\n\n\n" + fault;
    for (const Packing& packing : packings()) {
      const std::string path = scratch.write("in", packing.pack(text));
      std::string error;
      for (std::size_t size = 1; size <= 2 * text.size(); size += packing.threads > 1 ? 41 : 1 + size / 50) {
        const Outcome found =
            read_to_fault({.paths = {path}, .block_bytes = size, .threads = packing.threads, .max_title_bytes = 100});
        INFO("seed " << seed << ", " << packing.name << ", size " << size);
        CHECK(fastq_fault(found.blocks, text, truth) == "");
        check_error(found.error, {message});
        if (error.empty()) error = found.error;
        CHECK(found.error == error);
      }
    }
  }
}

TEST_CASE("FASTQ records before damaged compression are returned, then its error", "[reader]") {
  const Scratch scratch;
  std::mt19937 random(21);
  std::string text;
  std::vector<FastqRead> truth;
  for (int i = 0; i < 40; ++i) {
    truth.push_back({"r" + std::to_string(i), random_dna(20, random)});
    text += "@" + truth.back().name + "\n" + truth.back().sequence + "\n+\n" + std::string(20, 'I') + "\n";
  }
  const std::size_t part = text.find("@r17") + 9;  // parts end inside records
  const std::string rest = text.substr(part);
  for (const int threads : {1, 3}) {
    for (const bool is_bgzf : {false, true}) {
      const auto pack = [&](const std::string& t) { return is_bgzf ? bgzf_block(t) : gzip(t); };
      const std::string tail = pack(rest);
      const std::string path =
          scratch.write("in", pack(text.substr(0, part)) + (is_bgzf ? tail.substr(0, 40) : tail.substr(0, 8)));
      for (std::size_t size = 1; size <= 2 * text.size(); size += 1 + size / (threads > 1 ? 4 : 50)) {
        INFO((is_bgzf ? "BGZF" : "gzip") << ", size " << size << ", threads " << threads);
        const Outcome found = read_to_fault({.paths = {path}, .block_bytes = size, .threads = threads});
        CHECK(fastq_fault(found.blocks, text, {truth.begin(), truth.begin() + 17}) == "");
        check_error(found.error, {path + ": ", "truncated"});
      }
    }
  }
}

TEST_CASE("gzip returns the text before a fault", "[reader]") {
  const Scratch scratch;
  std::mt19937 random(22);
  const std::string text = fasta_of(40, 5000, random);  // more than ISA-L buffers
  const std::string whole = gzip(text);
  std::size_t before = 0;
  for (std::size_t tenth = 1; tenth < 10; ++tenth) {
    const std::size_t size = whole.size() * tenth / 10;
    const std::string found = inflated_alike(scratch, whole.substr(0, size), {1}, "truncated gzip data");
    INFO(tenth << " tenths");
    CHECK((found == text.substr(0, found.size())));
    CHECK(found.size() > before);
    CHECK(found.size() > text.size() * (tenth - 1) / 10);
    before = found.size();
    std::string damaged = whole;
    for (std::size_t i = size; i < std::min(size + 300, whole.size()); ++i) damaged[i] ^= 0x5a;
    const std::string inflated_of_damaged = inflated_alike(scratch, damaged, {1}, "damaged gzip data");
    CHECK((inflated_of_damaged.substr(0, found.size() - 300) == found.substr(0, found.size() - 300)));
  }
  for (const std::size_t cut : {std::size_t{1}, std::size_t{8}})  // in the trailer: the text is complete
    CHECK((inflated_alike(scratch, whole.substr(0, whole.size() - cut), {1}, "truncated gzip data") == text));
  std::string wrong = whole;
  wrong[wrong.size() - 6] ^= 1;
  CHECK((inflated_alike(scratch, wrong, {1}, "wrong checksum") == text));
  CHECK((inflated_alike(scratch, whole + "rubbish", {1}, "something that is not gzip follows") == text));
  CHECK((inflated_alike(scratch, whole + "\x1f\x8b\x08\xff", {1}, "gzip data").size() == text.size()));
}

TEST_CASE("BGZF returns the blocks before a fault, whichever thread inflates them", "[reader]") {
  const Scratch scratch;
  std::mt19937 random(23);
  const std::string text = fasta_of(30, 3000, random), end = bgzf_block("");
  constexpr std::size_t kPart = 1500;
  std::vector<std::size_t> begins;  // starts of the blocks
  std::string whole;
  for (std::size_t at = 0; at < text.size(); at += kPart) {
    begins.push_back(whole.size());
    whole += bgzf_block(text.substr(at, kPart));
  }
  const std::vector<int> threads = {1, 2, 4};
  for (const std::size_t block : {std::size_t{0}, std::size_t{1}, begins.size() / 2, begins.size() - 1}) {
    const std::string expected = text.substr(0, block * kPart), good = whole.substr(0, begins[block]);
    INFO("block " << block);
    if (block != 0) CHECK((inflated_alike(scratch, good, threads, "no end-of-file block") == expected));
    // The header of the first block shows the format.
    for (const std::size_t bytes : {std::size_t{10}, std::size_t{18}, std::size_t{26}})
      if (block != 0 || bytes > 18)
        CHECK((inflated_alike(scratch, whole.substr(0, begins[block] + bytes), threads, "BGZF data") == expected));
    std::string header = whole + end, crc = whole + end;
    header[begins[block]] ^= 1;
    if (block != 0) CHECK((inflated_alike(scratch, header, threads, "BGZF data") == expected));
    crc[block + 1 < begins.size() ? begins[block + 1] - 6 : whole.size() - 6] ^= 1;
    CHECK((inflated_alike(scratch, crc, threads, "wrong checksum") == expected));
  }
  // The length of the text, which is at the end of a block, the end-of-file block too.
  begins.push_back(whole.size());
  for (const std::size_t block : {std::size_t{0}, begins.size() / 2, begins.size() - 2, begins.size() - 1}) {
    INFO("block " << block);
    for (const std::size_t byte : {std::size_t{4}, std::size_t{1}}) {
      std::string length = whole + end;
      length[(block + 1 < begins.size() ? begins[block + 1] : length.size()) - byte] ^= 1;
      CHECK((inflated_alike(scratch, length, threads,
                            "damaged BGZF data in the block at compressed byte " + std::to_string(begins[block]) +
                                ": wrong length: it says ") == text.substr(0, block * kPart)));
    }
  }
  // An end-of-file block before the fault is not the end.
  CHECK((inflated_alike(scratch, whole + end + whole.substr(0, 100), threads, "BGZF data") == text));
  CHECK((inflated_alike(scratch, whole + end + whole.substr(0, begins[1]) + whole.substr(begins[1], 100), threads,
                        "BGZF data") == text + text.substr(0, kPart)));
}

TEST_CASE("FASTA before damaged compression is returned, except an incomplete title", "[reader]") {
  const Scratch scratch;
  std::mt19937 random(24);
  const std::string text = fasta_of(6, 50, random);
  for (std::size_t size = text.find("ord3"); size < text.find("ord4"); size += 3) {
    INFO("text ends after " << size << " bytes: " << text.substr(0, size));
    const std::string good = text.substr(0, size), rest = text.substr(size);
    check_fasta_blocks(scratch.write("in", in_parts(good, 37, bgzf_block)), good);
    check_fasta_blocks(scratch.write("in", in_parts(good, 37, bgzf_block) + bgzf_block(rest).substr(0, 30)), good);
    check_fasta_blocks(scratch.write("in", in_parts(good, 37, gzip) + gzip(rest).substr(0, 5)), good);
    check_fasta_blocks(scratch.write("in", gzip(good) + "rubbish"), good);
  }
}

TEST_CASE("A fault before the first record is reported at once", "[reader]") {
  const Scratch scratch;
  for (const std::string& text : {std::string(), std::string("\n\n"), std::string(">title"), std::string("@title")}) {
    const std::string path = scratch.write("in", gzip(text) + "rubbish");
    for (const std::size_t size : {std::size_t{1}, std::size_t{4}, std::size_t{1} << 19}) {
      const Outcome found = read_to_fault({.paths = {path}, .block_bytes = size});
      INFO("text: " << text << ", size " << size);
      CHECK(found.blocks.empty());
      check_error(found.error, {path + ": damaged gzip data: something that is not gzip follows"});
    }
  }
}

TEST_CASE("Whole records before one that is too long are returned, then its error", "[reader]") {
  const Scratch scratch;
  std::mt19937 random(24);
  const std::string dna = random_dna(51, random), quality(51, 'I');
  struct Case {
    std::string good, bad, next, message;
  };
  const std::vector<Case> cases = {
      {">a\nAC\n>b\n\n", ">long x\n" + dna + "\n" + dna, ">c\nA\n", "record 'long' (byte 10): longer than 100 bytes"},
      {"@a\nAC\n+\nII\n\n", "@long x\n" + dna + "\n+\n" + quality, "@c\nA\n+\nI\n",
       "record 'long' (line 6): longer than 100 bytes"},
  };
  for (const Case& c : cases) {
    const std::string text = c.good + c.bad + "\n" + c.next;
    for (const Packing& packing : packings()) {
      const std::string path = scratch.write("in", packing.pack(text));
      for (std::size_t size = 1; size <= 2 * text.size(); size += packing.threads > 1 ? 41 : 1) {
        INFO(packing.name << ", size " << size);
        ReaderOptions options{.paths = {path},
                              .block_bytes = size,
                              .threads = packing.threads,
                              .whole_records = true,
                              .max_record_bytes = 100};
        const Outcome found = read_to_fault(options);
        CHECK(whole_fault(found.blocks, text, naive_records(c.good)) == "");
        CHECK(found.error == path + ": " + c.message);
        options.max_record_bytes = c.bad.size();  // its line break makes it too long
        CHECK(error_of(options) != "");
        options.max_record_bytes = c.bad.size() + 1;
        CHECK(whole_fault(read_all(options), text, naive_records(text)) == "");
      }
    }
  }
}

TEST_CASE("Whole FASTA records before a title that is too long are returned, then the error", "[reader]") {
  const Scratch scratch;
  const std::string good = ">a\nAC\n>b\n\n>c\n";
  for (const std::string& tail : {std::string(), std::string("\nACGT\n>d\nA\n")}) {
    const std::string text = good + ">" + std::string(100, 't') + tail;
    for (const Packing& packing : packings()) {
      const std::string path = scratch.write("in", packing.pack(text));
      for (std::size_t size = 1; size <= 2 * text.size(); size += packing.threads > 1 ? 41 : 1) {
        INFO(packing.name << ", size " << size);
        ReaderOptions options{.paths = {path},
                              .block_bytes = size,
                              .threads = packing.threads,
                              .max_title_bytes = 100,
                              .whole_records = true};
        const Outcome found = read_to_fault(options);
        CHECK(whole_fault(found.blocks, text, naive_records(good)) == "");
        CHECK(found.error == path + ": byte 13: header line longer than 100 bytes");
        options.max_title_bytes = 101;
        CHECK(whole_fault(read_all(options), text, naive_records(text)) == "");
      }
    }
  }
}

TEST_CASE("Whole FASTA records before damaged compression are returned, then its error", "[reader]") {
  const Scratch scratch;
  std::mt19937 random(25);
  const std::string text = fasta_of(40, 20, random);
  const std::size_t part = text.find(">record17") + 12;  // parts end inside records
  const std::string rest = text.substr(part);
  for (const int threads : {1, 3}) {
    for (const bool is_bgzf : {false, true}) {
      const auto pack = [&](const std::string& t) { return is_bgzf ? bgzf_block(t) : gzip(t); };
      const std::string tail = pack(rest);
      const std::string path =
          scratch.write("in", pack(text.substr(0, part)) + (is_bgzf ? tail.substr(0, 40) : tail.substr(0, 8)));
      for (std::size_t size = 1; size <= 2 * text.size(); size += 1 + size / (threads > 1 ? 4 : 50)) {
        INFO((is_bgzf ? "BGZF" : "gzip") << ", size " << size << ", threads " << threads);
        const Outcome found =
            read_to_fault({.paths = {path}, .block_bytes = size, .threads = threads, .whole_records = true});
        CHECK(whole_fault(found.blocks, text, naive_records(text.substr(0, text.find(">record17")))) == "");
        check_error(found.error, {path + ": ", "truncated"});
      }
    }
  }
}

TEST_CASE("A file that becomes shorter while it is read has not ended there", "[reader]") {
  const Scratch scratch;
  std::mt19937 random(26);
  std::string bytes(3'000'000, '\0');  // more than any reader holds, also when it is compressed
  for (char& byte : bytes) byte = static_cast<char>(random());
  for (const auto& pack : std::vector<std::function<std::string(const std::string&)>>{
           [](const std::string& text) { return text; }, [](const std::string& text) { return gzip(text); },
           [](const std::string& text) { return bgzf(text, 60'000); }, [](const std::string& text) { return xz(text); },
           [](const std::string& text) { return zstd(text); }, [](const std::string& text) { return bzip2(text); }}) {
    const std::string packed = pack(">r\n" + bytes);
    for (const int threads : {1, 3}) {
      for (const std::size_t left : {std::size_t{0}, std::size_t{1}, packed.size() - 1}) {
        const std::string path = scratch.write("in", packed);
        INFO("begins with byte " << int(packed[0]) << ", " << left << " bytes left, threads " << threads);
        const auto file = open_input(path, threads);
        std::string text(1000, '\0');
        REQUIRE(file->read(text.data(), text.size()) > 0);
        fs::resize_file(path, left);
        CHECK_THROWS_WITH(
            [&] {
              while (file->read(text.data(), text.size()) != 0) {
              }
            }(),
            Catch::Matchers::ContainsSubstring("the file became shorter while it was read") ||
                Catch::Matchers::ContainsSubstring("truncated"));
      }
    }
  }
}

}  // namespace basesweep::test_reader_faults
