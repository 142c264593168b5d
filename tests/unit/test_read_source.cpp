// ReadSource: batches hold records in order and whole pairs, wherever blocks are cut.
#include "lib/reads/read_source.hpp"

#include "lib/oracle/trial/random.hpp"
#include "lib/search/packed_batch.hpp"
#include "tests/support/environment.hpp"
#include "tests/support/reader.hpp"

namespace basesweep::test_read_source {

using namespace reader_test;

namespace {

struct Outcome {
  std::vector<WholeRecord> records;  // pairs: the first mate, then the second
  std::string fault;                 // the first fault of the batches, or ""
  std::string error;                 // "" when there was none
};

WholeRecord record_of(const RawBlock& block, const RecordText& record) {
  const std::string text = text_of(block);
  const auto part = [&text](std::uint32_t begin, std::uint32_t end) {
    return without_breaks(text.substr(begin, end - begin));
  };
  return {part(record.name_begin, record.name_end), part(record.sequence_begin, record.sequence_end),
          part(record.quality_begin, record.quality_end)};
}

std::vector<WholeRecord> records_of(const std::vector<RecordSlice>& slices) {
  std::vector<WholeRecord> records;
  for (const RecordSlice& slice : slices)
    for (std::size_t i = slice.begin; i < slice.end; ++i)
      records.push_back(record_of(*slice.block, slice.block->records[i]));
  return records;
}

Outcome read_source(const ReadSourceOptions& options) {
  Outcome outcome;
  ReadSource source(options);
  const bool mates = !options.mate_paths.empty();
  std::uint64_t batches = 0;
  try {
    while (const auto batch = source.next()) {
      const auto first = records_of(batch->first), second = records_of(batch->second);
      if (batch->number != batches++) outcome.fault = "number";
      if (first.empty()) outcome.fault = "empty batch";
      if (mates ? first.size() != second.size() : !second.empty()) outcome.fault = "mates";
      if (options.interleaved && first.size() % 2 != 0) outcome.fault = "a pair is split";
      for (const RecordSlice& slice : batch->second)
        if (slice.block->source < options.paths.size()) outcome.fault = "source";
      if (batch->paths.size() != options.paths.size() + options.mate_paths.size()) outcome.fault = "paths";
      for (const auto* slices : {&batch->first, &batch->second})
        for (const RecordSlice& slice : *slices)
          if (slice.begin >= slice.end) outcome.fault = "empty slice";
      for (std::size_t i = 0; i < first.size(); ++i) {
        outcome.records.push_back(first[i]);
        if (mates) outcome.records.push_back(second[i]);
      }
    }
    if (source.next()) outcome.fault = "a batch behind the end";
  } catch (const DataError& error) {
    outcome.error = error.what();
    CHECK_THROWS_AS(source.next(), DataError);  // and gives no batch
  }
  return outcome;
}

std::string record_text(bool fastq, const std::string& name, std::size_t length, std::mt19937& random) {
  const std::string dna = random_dna(length, random);
  const std::size_t width = 1 + random() % 60;
  const std::string end = random() % 2 == 0 ? "\n" : "\r\n";
  if (!fastq) return ">" + name + " more" + end + wrapped(dna, width, end);
  return "@" + name + "\tmore" + end + wrapped(dna, width, end) + "+" + end +
         wrapped(std::string(length, '@'), 1 + random() % 60, end);
}

// Returns `count` records of at most `length` letters, named `prefix`0, `prefix`1 and so on.
std::string text_of_records(bool fastq, const std::string& prefix, std::size_t count, std::size_t length,
                            std::mt19937& random) {
  std::string text;
  for (std::size_t i = 0; i < count; ++i)
    text += record_text(fastq, prefix + std::to_string(i), random() % (length + 1), random);
  if (random() % 2 == 0 && length > 0) text.erase(text.find_last_not_of("\r\n") + 1);
  return text;
}

std::vector<WholeRecord> truth_of(const std::vector<std::string>& texts) {
  std::vector<WholeRecord> truth;
  for (const std::string& text : texts)
    for (const WholeRecord& record : naive_records(text)) truth.push_back(record);
  return truth;
}

std::vector<WholeRecord> alternating(const std::vector<WholeRecord>& first, const std::vector<WholeRecord>& second) {
  std::vector<WholeRecord> all;
  for (std::size_t i = 0; i < first.size(); ++i) {
    all.push_back(first[i]);
    all.push_back(second.at(i));
  }
  return all;
}

std::vector<std::size_t> block_sizes(bool threads) {
  std::vector<std::size_t> sizes;
  for (std::size_t size = 1; size < 4000; size += threads ? 100 + size : 1 + size / 12) sizes.push_back(size);
  return sizes;
}

}  // namespace

TEST_CASE("One input of reads, of any format and number of files", "[reads]") {
  const Scratch scratch;
  const std::uint64_t seed = support::test_seed();
  INFO("BASESWEEP_TEST_SEED=" << seed);
  std::mt19937 random(static_cast<unsigned>(seed));
  for (std::uint64_t round = 0; round < support::test_cases(20); ++round) {
    std::vector<std::string> texts, paths;
    for (std::size_t file = 0, files = 1 + random() % 3; file < files; ++file) {
      texts.push_back(text_of_records(random() % 2 == 0, "r", random() % 5 == 0 ? 0 : random() % 12, 80, random));
      const Packing& packing = packings()[random() % packings().size()];
      paths.push_back(scratch.write("in" + std::to_string(file), packing.pack(texts.back())));
    }
    for (const std::size_t size : block_sizes(round % 5 == 0)) {
      const Outcome found = read_source({.paths = paths, .block_bytes = size, .threads = round % 5 == 0 ? 3 : 1});
      if (found.records != truth_of(texts) || found.error != "" || found.fault != "")
        FAIL("round " << round << ", block size " << size << ": " << found.fault << found.error);
    }
  }
}

TEST_CASE("Two inputs of mates with different lengths stay in step", "[reads]") {
  const Scratch scratch;
  const std::uint64_t seed = support::test_seed();
  INFO("BASESWEEP_TEST_SEED=" << seed);
  std::mt19937 random(static_cast<unsigned>(seed) + 1);
  for (std::uint64_t round = 0; round < support::test_cases(20); ++round) {
    std::vector<std::string> first, second;
    ReadSourceOptions options;
    for (std::size_t file = 0, files = 1 + random() % 3; file < files; ++file) {
      const std::size_t count = random() % 5 == 0 ? 0 : random() % 12;
      first.push_back(text_of_records(random() % 2 == 0, "r", count, random() % 100, random));
      second.push_back(text_of_records(random() % 2 == 0, "r", count, random() % 2 == 0 ? 5 : 200, random));
      const std::string name = "in" + std::to_string(file);
      options.paths.push_back(scratch.write(name, packings()[random() % 3].pack(first.back())));
      options.mate_paths.push_back(scratch.write(name + "m", packings()[random() % 4].pack(second.back())));
    }
    for (const std::size_t size : block_sizes(false)) {
      options.block_bytes = size;
      const Outcome found = read_source(options);
      if (found.records != alternating(truth_of(first), truth_of(second)) || found.error != "" || found.fault != "")
        FAIL("round " << round << ", block size " << size << ": " << found.fault << found.error);
    }
  }
}

TEST_CASE("Interleaved mates stay together", "[reads]") {
  const Scratch scratch;
  const std::uint64_t seed = support::test_seed();
  INFO("BASESWEEP_TEST_SEED=" << seed);
  std::mt19937 random(static_cast<unsigned>(seed) + 2);
  for (std::uint64_t round = 0; round < support::test_cases(20); ++round) {
    std::vector<std::string> texts, paths;
    for (std::size_t file = 0, files = 1 + random() % 3; file < files; ++file) {
      texts.push_back(text_of_records(random() % 2 == 0, "r", 2 * (random() % 7), random() % 100, random));
      paths.push_back(scratch.write("in" + std::to_string(file), packings()[random() % 3].pack(texts.back())));
    }
    for (const std::size_t size : block_sizes(false)) {
      const Outcome found = read_source({.paths = paths, .interleaved = true, .block_bytes = size});
      if (found.records != truth_of(texts) || found.error != "" || found.fault != "")
        FAIL("round " << round << ", block size " << size << ": " << found.fault << found.error);
    }
  }
}

TEST_CASE("A record without a mate ends the input after the pairs before it", "[reads]") {
  const Scratch scratch;
  std::mt19937 random(11);
  const auto text = [&](const std::string& prefix, std::size_t count) {
    return text_of_records(true, prefix, count, 30, random) + "\n\n\n";
  };
  const std::string three = text("r", 3), five = text("r", 5), none;
  struct Case {
    std::vector<std::string> first, second;
    std::size_t pairs;
    std::string error;  // contains the file names
  };
  const std::vector<Case> cases = {
      {{five}, {three}, 3, "{1}: record 'r3' has no mate: {2} has only 3 records"},
      {{three}, {five}, 3, "{2}: record 'r3' has no mate: {1} has only 3 records"},
      {{three}, {none}, 0, "{1}: record 'r0' has no mate: {2} has only 0 records"},
      {{none}, {three}, 0, "{2}: record 'r0' has no mate: {1} has only 0 records"},
      // Files are mates too: an equal total of records is not enough.
      {{three, five}, {five, three}, 3, "{2}: record 'r3' has no mate: {1} has only 3 records"},
      {{five, three}, {three, five}, 3, "{1}: record 'r3' has no mate: {2} has only 3 records"},
      {{none, five}, {three, three}, 0, "{2}: record 'r0' has no mate: {1} has only 0 records"},
      {{three, five}, {three, none}, 3, "{3}: record 'r0' has no mate: {4} has only 0 records"},
  };
  for (const Case& c : cases) {
    ReadSourceOptions options;
    std::string error = c.error + "; both files need all pairs, in the same order";
    const auto add = [&](const std::string& content, std::vector<std::string>& paths, const std::string& place) {
      paths.push_back(scratch.write("in" + place, content));
      const std::string mark = "{" + place + "}";
      if (const std::size_t at = error.find(mark); at != std::string::npos)
        error.replace(at, mark.size(), paths.back());
    };
    for (std::size_t file = 0; file < c.first.size(); ++file) {
      add(c.first[file], options.paths, std::to_string(2 * file + 1));
      add(c.second[file], options.mate_paths, std::to_string(2 * file + 2));
    }
    auto first = truth_of(c.first), second = truth_of(c.second);
    first.resize(c.pairs);
    second.resize(c.pairs);
    for (const std::size_t size : block_sizes(false)) {
      options.block_bytes = size;
      const Outcome found = read_source(options);
      INFO("block size " << size);
      CHECK(found.fault == "");
      CHECK(found.error == error);
      CHECK((found.records == alternating(first, second)));
    }
  }
}

TEST_CASE("An odd interleaved record ends the input after the pairs before it", "[reads]") {
  const Scratch scratch;
  std::mt19937 random(12);
  const std::string odd = text_of_records(true, "r", 5, 30, random) + "\n\n\n",
                    even = text_of_records(false, "s", 4, 30, random) + "\n";
  const std::string odd_path = scratch.write("odd", odd), even_path = scratch.write("even", even);
  const std::vector<std::pair<std::vector<std::string>, std::vector<std::string>>> cases = {
      {{odd_path}, {odd}}, {{odd_path, even_path}, {odd}}, {{even_path, odd_path, odd_path}, {even, odd}}};
  for (const auto& [paths, texts] : cases) {
    auto truth = truth_of(texts);
    truth.pop_back();
    for (const std::size_t size : block_sizes(false)) {
      INFO("block size " << size);
      const Outcome found = read_source({.paths = paths, .interleaved = true, .block_bytes = size});
      CHECK(found.fault == "");
      CHECK(found.error ==
            odd_path +
                ": record 'r4' has no mate: 5 records, an odd number; each first mate needs its second mate after it");
      CHECK((found.records == truth));
    }
  }
}

TEST_CASE("Reads before a fault of either input come out, then its error", "[reads]") {
  const Scratch scratch;
  std::mt19937 random(13);
  const std::string good = text_of_records(true, "r", 7, 30, random) + "\n\n\n";
  const std::string broken = good + "@bad\nACGT\n+\nIII\n@next\nA\n+\nI\n";
  const std::string more = good + good;
  const std::string packed = gzip(more);
  const std::string good_path = scratch.write("good", more), bad_path = scratch.write("bad", broken),
                    cut_path = scratch.write("cut", gzip(good) + packed.substr(0, packed.size() - 100));
  const auto truth = naive_records(good);
  for (const std::size_t size : block_sizes(false)) {
    INFO("block size " << size);
    for (const bool first_is_bad : {false, true}) {
      const Outcome found = read_source({.paths = {first_is_bad ? bad_path : good_path},
                                         .mate_paths = {first_is_bad ? good_path : bad_path},
                                         .block_bytes = size});
      CHECK(found.fault == "");
      check_error(found.error, {bad_path + ": record 'bad' (line "});
      CHECK((found.records == alternating(truth, truth)));
    }
    const Outcome odd = read_source({.paths = {bad_path}, .interleaved = true, .block_bytes = size});
    CHECK(odd.fault == "");
    check_error(odd.error, {bad_path + ": record 'bad' (line "});
    CHECK((odd.records == std::vector<WholeRecord>(truth.begin(), truth.end() - 1)));
    const Outcome damaged = read_source({.paths = {good_path}, .mate_paths = {cut_path}, .block_bytes = size});
    CHECK(damaged.fault == "");
    check_error(damaged.error, {cut_path + ": truncated gzip data"});
    CHECK(damaged.records.size() >= 14);
  }
}

TEST_CASE("A batch holds about the requested amount of text, and reads no input far ahead", "[reads]") {
  const Scratch scratch;
  std::mt19937 random(14);
  const std::string small = text_of_records(true, "r", 3000, 10, random) + "\n",
                    large = text_of_records(true, "r", 3000, 400, random) + "\n";
  const std::string small_path = scratch.write("small", small), large_path = scratch.write("large", large);
  for (const bool first_is_small : {false, true}) {
    ReadSource source({.paths = {first_is_small ? small_path : large_path},
                       .mate_paths = {first_is_small ? large_path : small_path},
                       .block_bytes = 20000});
    REQUIRE(source.stored_bytes() == static_cast<std::int64_t>(small.size() + large.size()));
    CHECK(source.expected_bases() == source.stored_bytes());
    std::size_t batches = 0;
    std::int64_t text = 0;
    while (const auto batch = source.next()) {
      ++batches;
      text += static_cast<std::int64_t>(batch->text_bytes);
      CHECK(batch->text_bytes <= 25000);
      // No input is more than a block ahead of the other.
      CHECK(batch->first.size() + batch->second.size() <= 6);
    }
    CHECK(batches <= 2 * (small.size() + large.size()) / 20000 + 1);
    CHECK(text > *source.stored_bytes() * 9 / 10);
    CHECK(text <= *source.stored_bytes());
    CHECK(source.sources().size() == 2);
  }
}

TEST_CASE("The size of batches can be set after the source is made", "[reads]") {
  const Scratch scratch;
  std::mt19937 random(15);
  const std::string path = scratch.write("in", text_of_records(true, "r", 2000, 100, random));
  for (const std::size_t size : {3000U, 1U << 22}) {
    ReadSource source({.paths = {path}, .mate_paths = {path}, .block_bytes = 20000});
    source.hold(size);
    std::size_t batches = 0;
    while (source.next()) ++batches;
    CHECK((size == 3000 ? batches > 50 : batches == 1));
  }
}

TEST_CASE("A batch has no more reads than its queries can be numbered", "[reads]") {
  const Scratch scratch;
  std::string text;
  for (std::size_t i = 0; i < kMaxReadsOfBatch + 3; ++i) text += ">\n";
  const std::string path = scratch.write("in", text);
  const auto counts = [&](ReadSourceOptions options) {
    options.block_bytes = 1U << 23;
    ReadSource source(options);
    std::vector<std::size_t> counts;
    while (const auto batch = source.next()) {
      counts.push_back(0);
      for (const auto* slices : {&batch->first, &batch->second})
        for (const RecordSlice& slice : *slices) counts.back() += slice.end - slice.begin;
    }
    return counts;
  };
  CHECK(counts({.paths = {path}}) == std::vector<std::size_t>{kMaxReadsOfBatch, 3});
  CHECK(counts({.paths = {path}, .mate_paths = {path}}) ==
        std::vector<std::size_t>{kMaxReadsOfBatch, kMaxReadsOfBatch, 6});
  text += ">\n";
  scratch.write("in", text);
  CHECK(counts({.paths = {path}, .interleaved = true}) == std::vector<std::size_t>{kMaxReadsOfBatch, 4});
}

TEST_CASE("Inputs that cannot be opened, or are given twice", "[reads]") {
  const Scratch scratch;
  const std::string path = scratch.write("in", ">a\nAC\n"), missing = scratch.path("missing");
  CHECK_THROWS_AS(ReadSource({.paths = {path, missing}}), IoError);
  CHECK_THROWS_AS(ReadSource({.paths = {path}, .mate_paths = {missing}}), IoError);
  CHECK_THROWS_AS(ReadSource({.paths = {path, path}, .mate_paths = {path}}), UsageError);
  CHECK_THROWS_AS(ReadSource({.paths = {"-"}, .mate_paths = {"-"}}), UsageError);
  std::vector<std::string> warnings;
  const std::string empty = scratch.write("empty", "");
  ReadSource source({.paths = {empty}, .mate_paths = {empty}, .warn = [&warnings](const std::string& warning) {
                       warnings.push_back(warning);
                     }});
  CHECK_FALSE(source.next());
  CHECK_FALSE(source.next());
  CHECK(warnings.size() == 2);
}

}  // namespace basesweep::test_read_source
