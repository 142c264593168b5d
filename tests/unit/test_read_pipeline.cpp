// Reads that are written: which bases go to which file, in input order, for any threads and block sizes.
#include "lib/pipeline/read_pipeline.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "lib/base/error.hpp"
#include "lib/base/iupac_letters.hpp"
#include "lib/oracle/trial/generate.hpp"
#include "lib/reads/read_source.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/environment.hpp"
#include "tests/support/reader.hpp"

namespace basesweep::test_read_pipeline {

namespace {

struct TextSink final : ByteSink {
  void write(std::string_view bytes) override { text += bytes; }
  std::string text;
};

struct Counted final : ReadCounts {
  std::uint64_t reads = 0;
};

constexpr std::uint32_t kFiles = 3;

std::uint32_t file_of(std::string_view name, std::size_t letters) {
  const std::size_t number = (name.size() + letters) % (kFiles + 1);
  return number == kFiles ? WrittenRead::kNowhere : static_cast<std::uint32_t>(number);
}

// Sends reads to files by their lengths, without their first base, and turns those of even length.
class Sorter final : public ReadProcessor {
 public:
  ProcessedReads process(const ReadList& reads) const override {
    ProcessedReads results;
    auto counts = std::make_unique<Counted>();
    for (const InputRead& read : reads.reads) {
      WrittenRead written;
      written.file = file_of(read.pair, read.bases.size());
      written.end = static_cast<std::uint32_t>(read.bases.size());
      written.begin = std::min(1U, written.end);
      written.turned = read.bases.size() % 2 == 0;
      written.name_tail = results.texts.keep("_" + std::to_string(read.bases.size()));
      results.written.push_back(written);
      results.rows += std::string(read.name) + "\n";
      ++counts->reads;
    }
    results.counts = std::move(counts);
    return results;
  }
  void take(const ReadCounts& counts) override { reads += static_cast<const Counted&>(counts).reads; }

  std::uint64_t reads = 0;
};

std::string reversed(std::string text) {
  std::reverse(text.begin(), text.end());
  return text;
}

// The FASTQ of a read as Sorter has it written.
std::string written_text(const std::string& name, const std::string& mate, std::string bases, std::string quality) {
  const std::size_t letters = bases.size();
  if (letters > 0) {
    bases.erase(0, 1);
    quality.erase(0, 1);
  }
  if (letters % 2 == 0) {
    bases = reversed(bases);
    for (char& c : bases) c = complement_letter(c);
    quality = reversed(quality);
  }
  return "@" + name + "_" + std::to_string(letters) + mate + " more\n" + bases + "\n+\n" + quality + "\n";
}

}  // namespace

TEST_CASE("reads go to their files in input order", "[reads]") {
  const reader_test::Scratch scratch;
  trial::Random random(support::test_seed());
  for (std::uint64_t round = 0; round < support::test_cases(40); ++round) {
    const bool paired = random.chance(50);
    std::string text, rows;
    std::vector<std::string> single(kFiles), first(kFiles), second(kFiles);
    const std::size_t count = 2 * random.below(60);
    for (std::size_t i = 0; i < count; ++i) {
      const std::string pair = "r" + std::to_string(paired ? i / 2 : i);
      const std::string mate = !paired ? "" : i % 2 == 0 ? "/1" : "/2";
      const std::string bases = trial::random_letters(random, random.below(30), "ACGTN");
      const std::string quality = trial::random_letters(random, bases.size(), "!#5I~");
      text += "@" + pair + mate + " more\n" + bases + "\n+\n" + quality + "\n";
      rows += pair + mate + "\n";
      const std::uint32_t file = file_of(pair, bases.size());
      if (file == WrittenRead::kNowhere) continue;
      const std::string own = written_text(pair, mate, bases, quality);
      single[file] += own;
      (i % 2 == 0 ? first : second)[file] += own;
    }
    const std::string path = scratch.write("reads.fq", text);
    for (const int threads : {1, 4}) {
      for (const std::size_t bytes : {std::size_t{1}, std::size_t{700}, std::size_t{1} << 19}) {
        for (const bool apart : {false, true}) {
          std::vector<TextSink> sinks(2 * kFiles);
          TextSink table;
          ReadTargets targets{{}, &table};
          for (std::uint32_t file = 0; file < kFiles; ++file)
            targets.files.push_back({&sinks[2 * file], &sinks[2 * file + (apart ? 1 : 0)]});
          ReadSource source({.paths = {path}, .interleaved = paired, .block_bytes = bytes, .threads = 1});
          Sorter sorter;
          ReadRunOptions options;
          options.paired = paired;
          options.threads = threads;
          const ReadSummary summary = run_reads(options, source, sorter, targets);
          CHECK(summary.reads == count);
          CHECK(sorter.reads == count);
          CHECK(table.text == rows);
          for (std::uint32_t file = 0; file < kFiles; ++file) {
            const bool by_mate = apart && paired;
            REQUIRE(sinks[2 * file].text == (by_mate ? first : single)[file]);
            REQUIRE(sinks[2 * file + 1].text == (by_mate ? second[file] : ""));
          }
        }
      }
    }
  }
}

TEST_CASE("reads before a fault are written, and the fault is thrown", "[reads]") {
  const reader_test::Scratch scratch;
  const auto run = [&](const std::string& text, bool paired, std::string& written) {
    const std::string path = scratch.write("bad.fq", text);
    ReadSource source({.paths = {path}, .interleaved = paired, .block_bytes = 1, .threads = 1});
    struct Copier final : ReadProcessor {
      ProcessedReads process(const ReadList& reads) const override {
        ProcessedReads results;
        for (const InputRead& read : reads.reads) {
          WrittenRead& one = results.written.emplace_back();
          one.file = 0;
          one.end = static_cast<std::uint32_t>(read.bases.size());
        }
        return results;
      }
      void take(const ReadCounts&) override {}
    } copier;
    TextSink sink;
    const ReadTargets targets{{{&sink, &sink}}, nullptr};
    ReadRunOptions options;
    options.paired = paired;
    std::string message;
    try {
      run_reads(options, source, copier, targets);
    } catch (const DataError& error) {
      message = error.what();
    }
    written = sink.text;
    return message;
  };
  std::string written;
  CHECK_THAT(run("@a\nAC\n+\nII\n@b\nA1\n+\nII\n", false, written),
             Catch::Matchers::ContainsSubstring("record 'b', position 2") &&
                 Catch::Matchers::ContainsSubstring("is not sequence"));
  CHECK(written == "@a\nAC\n+\nII\n");
  CHECK_THAT(run("@a\nAC\n+\nII\n@b\nAC\n+\nI\x7f\n", false, written),
             Catch::Matchers::ContainsSubstring("record 'b', position 2") &&
                 Catch::Matchers::ContainsSubstring("is not a quality"));
  CHECK_THAT(run("@a/1\nAC\n+\nII\n@a/2\nAC\n+\nII\n@b/1\nA\n+\nI\n@c/2\nA\n+\nI\n", true, written),
             Catch::Matchers::ContainsSubstring("record 'b/1'") && Catch::Matchers::ContainsSubstring("another name"));
  CHECK(written == "@a/1\nAC\n+\nII\n@a/2\nAC\n+\nII\n");
}

}  // namespace basesweep::test_read_pipeline
