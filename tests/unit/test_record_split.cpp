// Records of random files, in random blocks, marked and decided at random: the bytes of the input, in its order.
#include <algorithm>

#include "lib/base/error.hpp"
#include "lib/oracle/trial/random.hpp"
#include "lib/packer/packer.hpp"
#include "lib/pipeline/record_split.hpp"
#include "lib/reader/reader.hpp"
#include "lib/reads/pair_reader.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/files.hpp"

namespace basesweep::test_record_split {

using support::Packing;

namespace {

struct Text final : ByteSink {
  std::string bytes;
  void write(std::string_view more) override { bytes += more; }
};

std::vector<std::string> random_records(trial::Random& random, bool fastq) {
  std::vector<std::string> records;
  for (std::uint64_t i = random.between(1, 30); i != 0; --i) {
    const std::string end = random.chance(20) ? "\r\n" : "\n";
    std::string letters((fastq ? 1 : 0) + (random.chance(20) ? random.below(3000) : random.below(40)), 'A');
    std::string record = (fastq ? "@r" : ">r") + std::to_string(i) + (random.chance(30) ? " title" : "") + end;
    if (fastq) {
      record += letters + end + "+" + end + std::string(letters.size(), '@') + end;
    } else {
      for (std::size_t at = 0; at < letters.size(); at += 50) record += letters.substr(at, 50) + end;
    }
    records.push_back(record);
  }
  return records;
}

PackedBlock packed(RawBlock raw) {
  PackedBlock block = pack(raw, {});
  block.text = std::make_shared<RawBlock>(std::move(raw));
  return block;
}

}  // namespace

TEST_CASE("record split: random files") {
  const support::ScratchFolder scratch;
  for (std::uint64_t seed = 1; seed <= 400; ++seed) {
    trial::Random random(seed);
    const bool fastq = random.chance(50);
    std::vector<std::string> records = random_records(random, fastq);
    std::string text;
    for (const std::string& record : records) text += record;
    if (random.chance(30)) {
      text.pop_back();
      if (text.back() == '\r') records.back().pop_back();  // CR is a line end too, so none is added
    }
    support::write_file(scratch.path("in"), text,
                        random.pick(std::vector{Packing::plain, Packing::gzip, Packing::bgzf}));

    std::vector<bool> marked(records.size());
    std::generate(marked.begin(), marked.end(), [&random] { return random.chance(40); });
    Text matching, others;
    RecordSplitOptions options{{&matching}, {&others}, scratch.path(""), random.chance(50) ? 0 : random.below(4000)};
    RecordSplit split(options);
    Reader reader({.paths = {scratch.path("in")}, .block_bytes = random.between(1, 1000)});
    std::size_t begun = 0, decided = 0;
    while (auto raw = reader.next()) {
      const PackedBlock block = packed(std::move(*raw));
      split.add(block);
      begun += block.starts.size();
      if (random.chance(50) || begun == 0) continue;  // the last record that began may go on
      for (; decided + 1 < begun; ++decided) {
        if (marked[decided]) split.mark(static_cast<std::int64_t>(decided));
      }
      if (random.chance(50) && marked[decided]) split.mark(static_cast<std::int64_t>(decided));
      split.decide(static_cast<std::int64_t>(decided));
    }
    for (; decided < marked.size(); ++decided) {
      if (marked[decided]) split.mark(static_cast<std::int64_t>(decided));
    }
    split.finish();
    std::string expected[2];
    for (std::size_t i = 0; i < records.size(); ++i) expected[marked[i] ? 0 : 1] += records[i];
    INFO("seed " << seed << (fastq ? ", FASTQ" : ", FASTA"));
    CHECK(begun == records.size());
    CHECK(matching.bytes == expected[0]);
    CHECK(others.bytes == expected[1]);
  }
}

TEST_CASE("record split: only one of the two; two formats") {
  RawBlock fasta;
  const std::string text = ">a\nACGT\n>b\nAC";
  fasta.bytes.assign(text.begin(), text.end());
  fasta.size = text.size();
  Text others;
  RecordSplit split({.others = {&others}});
  split.add(packed(fasta));
  split.mark(0);
  RawBlock fastq = fasta;
  fastq.format = Format::fastq;
  fastq.records = {{0, 1, 2, 3, 7, 7, 7}};
  CHECK_THROWS_AS(split.add(packed(fastq)), UsageError);
  split.finish();
  CHECK(others.bytes == ">b\nAC\n");
}

TEST_CASE("record numbers: of records with bases") {
  RecordNumbers numbers;
  for (const auto& [reference, record] : {std::pair{0, 0}, {1, 1}, {2, 4}, {3, 5}, {5, 9}})
    numbers.add(reference, record);
  CHECK(numbers.of(0) == 0);
  CHECK(numbers.of(1) == 1);
  CHECK(numbers.of(2) == 4);
  CHECK(numbers.of(3) == 5);
  CHECK(numbers.of(5) == 9);
}

namespace {

// A record, its bytes in the file and as it is written: with one line end.
struct Mate {
  std::string in_file;
  std::string written;
};

Mate random_mate(trial::Random& random, bool fastq, const std::string& name) {
  const std::string end = random.chance(20) ? "\r\n" : "\n";
  const std::string letters(random.chance(10) ? 0 : random.chance(20) ? random.below(3000) : random.below(40), 'A');
  std::string text = (fastq ? "@" : ">") + name + (random.chance(30) ? " title" : "") + end;
  if (fastq) {
    text += letters + end + "+" + end + std::string(letters.size(), '@') + end;
  } else {
    for (std::size_t at = 0; at < letters.size(); at += 50) text += letters.substr(at, 50) + end;
  }
  // A blank line after a record without quality or sequence would be a line of it.
  return {text + (random.chance(20) && !letters.empty() ? "\n\n" : ""), text};
}

}  // namespace

TEST_CASE("record split: pairs") {
  const support::ScratchFolder scratch;
  for (std::uint64_t seed = 1; seed <= 400; ++seed) {
    trial::Random random(seed);
    INFO("seed " << seed);
    const bool fastq = random.chance(50), interleaved = random.chance(30), two = random.chance(50);
    const PairChoice choice = random.chance(50) ? PairChoice::any : PairChoice::both;
    std::vector<Mate> mates;
    std::string texts[2];
    for (std::uint64_t i = 2 * random.between(1, 20); i != 0; --i) {
      mates.push_back(random_mate(random, fastq, "r" + std::to_string((i + 1) / 2)));
      texts[interleaved ? 0 : i % 2] += mates.back().in_file;
    }
    const auto write = [&](const std::string& name, const std::string& text) {
      support::write_file(scratch.path(name), text,
                          random.pick(std::vector{Packing::plain, Packing::gzip, Packing::bgzf}));
      return scratch.path(name);
    };
    ReadSourceOptions reading;
    reading.paths = {write("1", texts[0])};
    if (!interleaved) reading.mate_paths = {write("2", texts[1])};
    reading.interleaved = interleaved;
    reading.block_bytes = random.between(1, 1000);

    std::vector<bool> marked(mates.size());
    std::generate(marked.begin(), marked.end(), [&random] { return random.chance(40); });
    Text matching[2], others[2];
    RecordSplit split({.matching = {&matching[0], two ? &matching[1] : nullptr},
                       .others = {&others[0], two ? &others[1] : nullptr},
                       .spool_directory = scratch.path(""),
                       .max_held_bytes = random.chance(50) ? 0 : random.below(4000),
                       .pairs = choice});
    PairReader reader(reading);
    std::size_t begun = 0, decided = 0;
    while (auto raw = reader.next()) {
      const PackedBlock block = packed(std::move(*raw));
      split.add(block);
      begun += block.starts.size();
      if (random.chance(50)) continue;
      for (; decided + 1 < begun; ++decided) {
        if (marked[decided]) split.mark(static_cast<std::int64_t>(decided));
        if (random.chance(20)) split.decide(static_cast<std::int64_t>(decided));
      }
      split.decide(static_cast<std::int64_t>(decided));
    }
    for (; decided < marked.size(); ++decided) {
      if (marked[decided]) split.mark(static_cast<std::int64_t>(decided));
    }
    split.finish();
    REQUIRE(begun == mates.size());
    std::string expected[2][2];
    std::uint64_t pairs[2] = {0, 0};
    for (std::size_t i = 0; i < mates.size(); ++i) {
      const bool one = marked[i / 2 * 2], other = marked[i / 2 * 2 + 1];
      const bool matches = choice == PairChoice::any ? one || other : one && other;
      expected[matches ? 0 : 1][two ? i % 2 : 0] += mates[i].written;
      if (i % 2 == 0) ++pairs[matches ? 0 : 1];
    }
    const SplitCounts counts = split.counts();
    CHECK((counts.pairs && counts.matching == pairs[0] && counts.others == pairs[1]));
    for (int side : {0, 1}) {
      CHECK(matching[side].bytes == expected[0][side]);
      CHECK(others[side].bytes == expected[1][side]);
    }
  }
}

TEST_CASE("record split: pairs of two formats") {
  const support::ScratchFolder scratch;
  support::write_file(scratch.path("1"), "@a\nA\n+\nI\n", Packing::plain);
  support::write_file(scratch.path("2"), ">a\nA\n", Packing::plain);
  Text text;
  RecordSplit split({.others = {&text}, .pairs = PairChoice::any});
  PairReader reader({.paths = {scratch.path("1")}, .mate_paths = {scratch.path("2")}});
  CHECK_THROWS_AS(split.add(packed(std::move(*reader.next()))), UsageError);
}

}  // namespace basesweep::test_record_split
