// PairReader: its blocks, packed and joined to batches, are those of the interleaved text, wherever blocks are cut.
#include "lib/reads/pair_reader.hpp"

#include <map>

#include "lib/base/stream_names.hpp"
#include "lib/oracle/trial/random.hpp"
#include "lib/packer/batcher.hpp"
#include "lib/packer/packer.hpp"
#include "lib/search/match_result.hpp"
#include "tests/support/environment.hpp"
#include "tests/support/reader.hpp"

namespace basesweep::test_pair_reader {

using namespace reader_test;

namespace {

// A record as packed blocks show it.
struct Shown {
  std::string name;
  std::uint32_t source;
  std::string letters;  // . for others than A, C, G and T
  bool operator==(const Shown&) const = default;
};

struct Outcome {
  std::vector<Shown> records;
  std::map<std::uint32_t, std::pair<std::int64_t, std::int64_t>> letters;  // positions and nucleotides of each file
  std::vector<SourceCounts> counts;
  std::string fault;  // the first fault of the blocks, or ""
  std::string error;  // "" if there was none
};

std::string letters_of(const PackedBlock& block, std::uint32_t begin, std::uint32_t end) {
  std::string letters;
  for (std::uint32_t i = begin; i < end; ++i) {
    letters += "ACTG"[(block.lo[i / 64] >> (i % 64) & 1) | (block.hi[i / 64] >> (i % 64) & 1) << 1];
  }
  for (const Interval& one : block.not_acgt) {
    for (std::uint32_t i = std::max(one.begin, begin); i < std::min(one.end, end); ++i) letters[i - begin] = '.';
  }
  return letters;
}

std::string shown_letters(std::string letters) {
  for (char& c : letters) {
    if (std::string_view("ACGT").find(c) == std::string_view::npos) c = '.';
  }
  return letters;
}

Outcome read_pairs(const ReadSourceOptions& options) {
  Outcome outcome;
  PairReader reader(options);
  BatcherOptions batching;
  batching.batch.batch_positions = 50;
  batching.batch.halo_right = 7;
  std::vector<Shown> batched;
  Batcher batcher(batching, input_names(reader.paths()), [&](std::unique_ptr<PackedBatch> batch) {
    batch->fill();
    for (const Segment& segment : batch->segments()) {
      std::string letters(segment.end - segment.position, ' ');
      batch->copy_letters(segment.position, segment.end, letters.data());
      for (const Interval& one : batch->blocked()) {
        for (std::uint32_t i = std::max(one.begin, segment.position); i < std::min(one.end, segment.end); ++i) {
          letters[i - segment.position] = '.';
        }
      }
      const auto number = static_cast<std::size_t>(segment.record);
      if (batched.size() <= number) batched.resize(number + 1, {"", 0, ""});
      Shown& shown = batched[number];
      shown.name = batch->name(segment);
      shown.source = segment.source;
      // The halo of the batch before has shown some of it.
      shown.letters.resize(static_cast<std::size_t>(segment.offset));
      shown.letters += letters;
    }
  });
  std::uint64_t blocks = 0;
  try {
    while (const auto raw = reader.next()) {
      const auto block = std::make_shared<PackedBlock>(pack(*raw, {}));
      if (block->number != blocks++) outcome.fault = "number";
      if (!raw->has_pairs() || raw->size == 0) outcome.fault = "no pairs";
      if (!block->error && (block->starts.empty() || block->starts.size() % 2 != 0)) outcome.fault = "a pair is parted";
      for (std::size_t i = 0; i < block->starts.size(); ++i) {
        const std::uint32_t end = i + 1 < block->starts.size() ? block->starts[i + 1].position : block->positions;
        outcome.records.push_back(
            {std::string(block->name(i)), block->starts[i].source, letters_of(*block, block->starts[i].position, end)});
      }
      for (const FileLetters& file : block->files) {
        outcome.letters[file.source].first += file.positions;
        outcome.letters[file.source].second += file.nucleotides;
      }
      batcher.add(block);
    }
    if (reader.next()) outcome.fault = "a block behind the end";
  } catch (const DataError& error) {
    outcome.error = error.what();
  }
  batcher.finish(outcome.error.empty());
  outcome.counts = batcher.counts();
  if (!outcome.error.empty()) return outcome;
  batched.resize(outcome.records.size(), {"", 0, ""});
  for (std::size_t i = 0; i < batched.size(); ++i) {
    if (!batched[i].letters.empty() && batched[i] != outcome.records[i]) outcome.fault = "batches";
    if (batched[i].letters.empty() && outcome.records[i].letters.find_first_not_of('.') != std::string::npos)
      outcome.fault = "a record without a segment";
  }
  return outcome;
}

std::string record_text(bool fastq, const std::string& name, std::size_t length, std::mt19937& random) {
  const std::string end = random() % 4 == 0 ? "\r\n" : "\n";
  const std::string dna = random_dna(length, random);
  const std::string title = (fastq ? "@" : ">") + name + (random() % 2 == 0 ? " 1:N:0" : "") + end;
  const std::size_t width = random() % 3 == 0 ? 1 + random() % 60 : 10000;
  if (!fastq) return title + wrapped(dna, width, end);
  return title + wrapped(dna, width, end) + "+" + end + wrapped(std::string(length, '@'), 10000, end) +
         (random() % 10 == 0 ? end : "");
}

// The texts of an input, and its records as they must be shown.
struct Input {
  std::vector<std::string> texts;
  std::vector<Shown> records;

  void add(const std::string& text, std::uint32_t source) {
    texts.push_back(text);
    for (const WholeRecord& record : naive_records(text))
      records.push_back({record.name, source, shown_letters(record.sequence)});
  }
};

std::vector<Shown> by_turns(const Input& first, const Input& second) {
  std::vector<Shown> all;
  for (std::size_t i = 0; i < first.records.size(); ++i) {
    all.push_back(first.records[i]);
    all.push_back(second.records.at(i));
  }
  return all;
}

// The first fault of what was read, or "".
std::string fault_of(const Outcome& found, const std::vector<Shown>& expected) {
  if (!found.error.empty()) return found.error;
  if (!found.fault.empty()) return found.fault;
  if (found.records != expected) return "records";
  std::map<std::uint32_t, std::int64_t> positions, records;
  for (const Shown& record : expected) {
    positions[record.source] += static_cast<std::int64_t>(record.letters.size());
    ++records[record.source];
  }
  for (std::uint32_t source = 0; source < found.counts.size(); ++source) {
    const SourceCounts& counts = found.counts[source];
    if (counts.records != records[source] || counts.bases != positions[source]) return "counts of a file";
    const auto letters = found.letters.find(source);
    // random_dna() has no other letters than A, C, G, T and N.
    if (letters == found.letters.end() ? positions[source] != 0
                                       : letters->second != std::pair(positions[source], positions[source]))
      return "letters of a file";
  }
  return "";
}

std::vector<std::size_t> block_sizes() {
  std::vector<std::size_t> sizes;
  for (std::size_t size = 1; size < 6000; size += 1 + size / 10) sizes.push_back(size);
  return sizes;
}

}  // namespace

TEST_CASE("Two inputs come as pairs, whichever is the longer one", "[pairs]") {
  const Scratch scratch;
  const std::uint64_t seed = support::test_seed();
  INFO("BASESWEEP_TEST_SEED=" << seed);
  std::mt19937 random(static_cast<unsigned>(seed));
  for (std::uint64_t round = 0; round < support::test_cases(20); ++round) {
    ReadSourceOptions options;
    options.threads = random() % 4 == 0 ? 3 : 1;
    Input first, second;
    const std::size_t files = 1 + random() % 3;
    for (std::size_t file = 0; file < files; ++file) {
      const std::size_t count = random() % 5 == 0 ? 0 : random() % 12;
      const std::size_t longest[2] = {random() % 300, random() % 2 == 0 ? 5 : random() % 300};
      const bool fastq[2] = {random() % 2 == 0, random() % 2 == 0};
      std::string texts[2];
      for (std::size_t i = 0; i < count; ++i) {
        for (int mate : {0, 1}) {
          const std::string name = "r" + std::to_string(i) + (random() % 2 == 0 ? "" : mate == 0 ? "/1" : "/2");
          texts[mate] += record_text(fastq[mate], name, random() % (longest[mate] + 1), random);
        }
      }
      first.add(texts[0], static_cast<std::uint32_t>(file));
      second.add(texts[1], static_cast<std::uint32_t>(files + file));
      const std::string name = "in" + std::to_string(file);
      options.paths.push_back(scratch.write(name, packings()[random() % packings().size()].pack(texts[0])));
      options.mate_paths.push_back(scratch.write(name + "m", packings()[random() % packings().size()].pack(texts[1])));
    }
    for (const std::size_t size : block_sizes()) {
      options.block_bytes = size;
      const std::string fault = fault_of(read_pairs(options), by_turns(first, second));
      if (!fault.empty()) FAIL("round " << round << ", block size " << size << ": " << fault);
    }
  }
}

TEST_CASE("An interleaved input comes as pairs", "[pairs]") {
  const Scratch scratch;
  const std::uint64_t seed = support::test_seed();
  INFO("BASESWEEP_TEST_SEED=" << seed);
  std::mt19937 random(static_cast<unsigned>(seed) + 1);
  for (std::uint64_t round = 0; round < support::test_cases(20); ++round) {
    ReadSourceOptions options;
    options.interleaved = true;
    Input input;
    for (std::size_t file = 0, files = 1 + random() % 3; file < files; ++file) {
      std::string text;
      const bool fastq = random() % 2 == 0;
      for (std::size_t i = 0, count = random() % 12; i < count; ++i) {
        for (const char* end : {"/1", "/2"})
          text += record_text(fastq, "r" + std::to_string(i) + end, random() % 200, random);
      }
      input.add(text, static_cast<std::uint32_t>(file));
      options.paths.push_back(
          scratch.write("in" + std::to_string(file), packings()[random() % packings().size()].pack(text)));
    }
    for (const std::size_t size : block_sizes()) {
      options.block_bytes = size;
      const std::string fault = fault_of(read_pairs(options), input.records);
      if (!fault.empty()) FAIL("round " << round << ", block size " << size << ": " << fault);
    }
  }
}

TEST_CASE("Blocks may end at any byte of either input", "[pairs]") {
  const Scratch scratch;
  const std::string one =
      "@a/1 x\nACGT\n+\nIIII\n@b\nGGNG\n+\n@@@@\n@c/1\n\n+\n\n@d\nTTTTTTTTTTTTTTTTTTTTTTTTTTT\n+\n" +
      std::string(27, 'I') + "\n";
  const std::string two = ">a/2\nA\n>b\nCC\nCC\n>c/2\nT\n>d\n\n";
  Input first, second;
  first.add(one, 0);
  second.add(two, 1);
  const std::string path = scratch.write("1", one), mates = scratch.write("2", two);
  for (std::size_t size = 1; size <= 2 * (one.size() + two.size()) + 2; ++size) {
    INFO("block size " << size);
    CHECK(fault_of(read_pairs({.paths = {path}, .mate_paths = {mates}, .block_bytes = size}),
                   by_turns(first, second)) == "");
    Input swapped_first, swapped_second;
    swapped_first.add("@a\nA\n+\nI\n", 0);
    swapped_second.add("@a\nACGTACGTACGTACGT\n+\nIIIIIIIIIIIIIIII\n", 1);
    const std::string a = scratch.write("a", swapped_first.texts[0]), b = scratch.write("b", swapped_second.texts[0]);
    CHECK(fault_of(read_pairs({.paths = {a}, .mate_paths = {b}, .block_bytes = size}),
                   by_turns(swapped_first, swapped_second)) == "");
    CHECK(fault_of(read_pairs({.paths = {b}, .mate_paths = {a}, .block_bytes = size}),
                   {{"a", 0, "ACGTACGTACGTACGT"}, {"a", 1, "A"}}) == "");
  }
}

TEST_CASE("The first fault of pairs ends the input, after the records before it", "[pairs]") {
  const Scratch scratch;
  const auto fastq = [](const std::string& name, const std::string& letters) {
    return "@" + name + "\n" + letters + "\n+\n" + std::string(letters.size(), 'I') + "\n";
  };
  const std::string good = fastq("a/1", "ACGT") + fastq("b/1", "GGG"), mates = fastq("a/2", "TT") + fastq("b/2", "A");
  struct Case {
    std::string first, second, error;
    std::size_t records;  // that begin
  };
  const std::vector<Case> cases = {
      {fastq("c/1", "A"), fastq("d/2", "A"), "{1}: record 'c/1': its mate in {2} has another name, 'd/2'; expected the",
       5},
      {fastq("c/1", "A"), fastq("c/1", "A"), "{1}: record 'c/1': its mate in {2} is 'c/1': first mates end in /1", 5},
      {fastq("c/2", "A"), fastq("c/1", "A"),
       "{1}: record 'c/2': its mate in {2} is 'c/1', the first of the pair: exchange", 5},
      {fastq("c/1", "A"), fastq("", "A"), "{1}: record 'c/1': its mate in {2} has another name, ''", 5},
      {fastq("c", "A!C"), fastq("c", "A!C"), "{1}: record 'c', position 2 (byte ", 5},
      {fastq("c", "AC"), fastq("c", "A!C"), "{2}: record 'c', position 2 (byte ", 6},
      {fastq("c", "AC"), "", "{1}: record 'c' has no mate: {2} has only 2 records", 4},
      {"", fastq("c", "AC"), "{2}: record 'c' has no mate: {1} has only 2 records", 4},
      {fastq("c", "A") + "@d\nAC\n+\nI\n", fastq("c", "A") + fastq("d", "A"), "{1}: record 'd' (line ", 6},
      {fastq("c", "A") + fastq("d", "A"), fastq("c", "A") + "@d\nAC\n+\nI\n", "{2}: record 'd' (line ", 6},
  };
  for (const Case& c : cases) {
    const std::string one = scratch.write("1", good + c.first), two = scratch.write("2", mates + c.second);
    std::string error = c.error;
    for (const auto& [mark, path] : {std::pair<std::string, std::string>("{1}", one), {"{2}", two}}) {
      if (const std::size_t at = error.find(mark); at != std::string::npos) error.replace(at, mark.size(), path);
    }
    for (const std::size_t size : block_sizes()) {
      INFO("block size " << size);
      const Outcome found = read_pairs({.paths = {one}, .mate_paths = {two}, .block_bytes = size});
      check_error(found.error, {error});
      CHECK(found.fault == "");
      CHECK(found.records.size() == c.records);
    }
  }
  const std::string odd = scratch.write("odd", fastq("a/1", "A") + fastq("a/2", "A") + fastq("b/1", "A"));
  for (const std::size_t size : block_sizes()) {
    const Outcome found = read_pairs({.paths = {odd}, .interleaved = true, .block_bytes = size});
    check_error(found.error, {odd + ": record 'b/1' has no mate: 3 records, an odd number"});
    CHECK(found.records.size() == 2);
  }
}

TEST_CASE("Letters of pairs are counted for the file that has them", "[pairs]") {
  const Scratch scratch;
  const std::string one = scratch.write("1", ">a\nACXX\n>b\nNNRY\n"), two = scratch.write("2", ">a\nXXAC\n>b\nEEFF\n");
  for (const std::size_t size : {1U, 1000U}) {
    const Outcome found = read_pairs({.paths = {one}, .mate_paths = {two}, .block_bytes = size});
    CHECK(found.letters.at(0) == std::pair<std::int64_t, std::int64_t>(8, 4));
    CHECK(found.letters.at(1) == std::pair<std::int64_t, std::int64_t>(8, 2));
    CHECK(found.counts.at(0).not_acgt == 6);
    CHECK(found.counts.at(1).not_acgt == 6);
  }
}

TEST_CASE("What is known of pairs before they are read", "[pairs]") {
  const Scratch scratch;
  const std::string one = scratch.write("1", "@a\nACGT\n+\nIIII\n"), two = scratch.write("2", ">a\nAC\n");
  PairReader reader({.paths = {one}, .mate_paths = {two}});
  CHECK(reader.paths() == std::vector{one, two});
  CHECK(reader.format() == Format::fastq);
  CHECK(reader.stored_bytes() == 21);
  REQUIRE(reader.first_block() != nullptr);
  CHECK(text_of(*reader.first_block()) == "@a\nACGT\n+\nIIII\n");
  const auto block = reader.next();
  REQUIRE(block);
  CHECK(block->format == Format::fastq);
  CHECK_FALSE(reader.next());
  CHECK(reader.sources().size() == 2);
  CHECK(reader.sources()[1].format == Format::fasta);
  CHECK(reader.stored_bytes_read() == 21);
  CHECK_THROWS_AS(PairReader({.paths = {one}}), UsageError);

  const std::string sam =
      scratch.write("sam", "@HD\tVN:1.6\na\t77\t*\t0\t0\t*\t*\t0\t0\tAC\tII\na\t141\t*\t0\t0\t*\t*\t0\t0\tGT\tII\n");
  PairReader paired({.paths = {sam}});
  const auto pair = paired.next();
  REQUIRE(pair);
  CHECK(pack(*pair, {}).starts.size() == 2);
  const std::string single = scratch.write("single", "@HD\tVN:1.6\na\t4\t*\t0\t0\t*\t*\t0\t0\tAC\tII\n");
  CHECK_THROWS_AS(PairReader({.paths = {single}}), UsageError);

  const std::string empty = scratch.write("empty", "");
  int warnings = 0;
  PairReader none({.paths = {empty}, .mate_paths = {empty}, .warn = [&warnings](const std::string&) { ++warnings; }});
  CHECK_FALSE(none.format());
  CHECK_FALSE(none.next());
  CHECK(warnings == 2);
}

}  // namespace basesweep::test_pair_reader
