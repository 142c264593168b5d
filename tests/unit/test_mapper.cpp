// The library's mapping of reads, compared with the SAM of the program.
#include <fmt/format.h>

#include <basesweep/map.hpp>
#include <random>
#include <sstream>

#include "lib/pipeline/map_pipeline.hpp"
#include "lib/reads/reference.hpp"
#include "lib/search/finder.hpp"
#include "lib/writer/read_formatter.hpp"
#include "tests/support/batches.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/files.hpp"

namespace basesweep::test_mapper {

using Catch::Matchers::ContainsSubstring;

namespace {

const std::vector<std::string> kColumns{"read",   "record", "start", "strand",  "edits",
                                        "indels", "mapq",   "cigar", "primary", "alignments"};

std::string random_bases(std::mt19937& random, std::size_t length) {
  std::string bases(length, 'A');
  for (char& base : bases) base = "ACGT"[random() % 4];
  return bases;
}

std::string turned(const std::string& bases) {
  std::string other(bases.rbegin(), bases.rend());
  for (char& base : other) base = base == 'A' ? 'T' : base == 'C' ? 'G' : base == 'G' ? 'C' : base == 'T' ? 'A' : base;
  return other;
}

// Reads from a reference, with some edits, and some that are nowhere in it.
std::vector<std::string> sample_reads(std::mt19937& random, const std::string& reference) {
  std::vector<std::string> reads;
  for (int i = 0; i < 300; ++i) {
    std::string read = reference.substr(random() % (reference.size() - 100), 40 + random() % 60);
    for (std::uint32_t edit = random() % 4; edit != 0; --edit) {
      const std::size_t at = random() % read.size();
      if (random() % 3 == 0) {
        read.erase(at, 1);
      } else {
        read[at] = "ACGTN"[random() % 5];
      }
    }
    reads.push_back(random() % 2 == 0 ? turned(read) : read);
    if (i % 20 == 0) reads.push_back(random_bases(random, 50));
  }
  reads.push_back("AC");
  reads.push_back(std::string(30, 'N'));
  return reads;
}

// The lines of the program's SAM as rows of kColumns but `indels` and `primary`.
std::string program_rows(const std::string& reference_path, const std::string& reads_path, MapOptions options) {
  const Reference reference = load_reference({.path = reference_path});
  const auto finder = make_finder(*reference.text, {{.threads = 2}});
  ReadSource reads({.paths = {reads_path}});
  const ReadFormatter formatter(reference, {.distinguish = true});
  std::string sam;
  options.threads = 2;
  run_map(options, reads, reference, *finder, formatter, [&sam](std::string_view text) { sam += text; });
  std::istringstream lines(sam);
  std::string rows;
  for (std::string line; std::getline(lines, line);) {
    std::istringstream fields(line);
    std::string name, record, cigar, field, found = "0", edits = ".";
    int flag = 0, mapq = 0;
    std::int64_t start = 0;
    fields >> name >> flag >> record >> start >> mapq >> cigar;
    while (fields >> field) {
      if (field.starts_with("NH:i:")) found = field.substr(5);
      if (field.starts_with("XE:i:")) edits = field.substr(5);
    }
    if ((flag & 4) != 0) {
      rows += fmt::format("{}\t.\t.\t.\t.\t.\t.\t0\n", name);
    } else {
      rows += fmt::format("{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\n", name, record, start - 1, (flag & 16) != 0 ? '-' : '+',
                          edits, mapq, cigar, found);
    }
  }
  return rows;
}

}  // namespace

TEST_CASE("the library maps reads as the program does", "[map][batches]") {
  std::mt19937 random(11);
  const std::string one = random_bases(random, 5'000);
  const std::string two = one.substr(100, 2'000) + random_bases(random, 1'000) + turned(one.substr(3'000, 500));
  const std::vector<std::string> reads = sample_reads(random, one);
  const support::ScratchFolder folder;
  const std::string reference_path = folder.path("reference.fa"), reads_path = folder.path("reads.fa");
  support::write_file(reference_path, ">one\n" + one + "\n>empty\n>two words\n" + two + "\n");
  std::string fasta;
  std::vector<std::string> names;
  for (std::size_t i = 0; i < reads.size(); ++i) names.push_back(fmt::format("read{}", i));
  std::vector<NamedSequence> in_memory;
  for (std::size_t i = 0; i < reads.size(); ++i) {
    fasta += fmt::format(">{} comment\n{}\n", names[i], reads[i]);
    in_memory.push_back({names[i], reads[i]});
  }
  support::write_file(reads_path, fasta);

  const auto report = GENERATE(MapperOptions::Report::best, MapperOptions::Report::sites, MapperOptions::Report::all);
  const std::optional<std::uint64_t> max_secondary = GENERATE(std::optional<std::uint64_t>(), 1U);
  MapOptions internal;
  internal.reads.edits = 3;
  internal.report = report == MapperOptions::Report::best    ? Report::best
                    : report == MapperOptions::Report::sites ? Report::sites
                                                             : Report::all;
  internal.max_secondary = max_secondary;
  const std::string expected = program_rows(reference_path, reads_path, internal);

  const MapperOptions options{
      .edits = 3, .report = report, .max_secondary = max_secondary, .unmapped = true, .threads = 2};
  const Mapper mapper(reference_path, options);
  REQUIRE(mapper.records().size() == 2);
  CHECK(mapper.records()[1].name == "two");
  CHECK(mapper.records()[0].length == 5'000);
  const ColumnOptions columns{.columns = {"read", "record", "start", "strand", "edits", "mapq", "cigar", "alignments"},
                              .batch_rows = 100};
  std::string lines;
  const TakeBatch take = [&lines](const Batch& batch) { lines += support::print_rows(batch); };
  const MapperSummary summary = mapper.map_files({reads_path}, columns, take);
  CHECK(lines == expected);
  CHECK(summary.reads == reads.size());
  CHECK(summary.mapped > 100);
  CHECK(summary.skipped == 2);
  lines.clear();
  mapper.map(in_memory, columns, take);
  CHECK(lines == expected);
  lines.clear();
  const std::vector<NamedSequence> records{{"one", one}, {"empty", ""}, {"two words", two}};
  Mapper(records, options).map(in_memory, columns, take);
  CHECK(lines == expected);
}

TEST_CASE("rows of reads that are mapped and that are not", "[map][batches]") {
  const std::string reference = "TTGACCAGTACCGATTGCAACGGTTCAGTACCATGAAC";
  const std::vector<NamedSequence> records{{"r", reference}};
  const std::string read = turned(reference.substr(5, 20));
  const std::vector<NamedSequence> reads{{"a", read}, {"none", "CCCCCCCCCCCCCCC"}};
  std::string lines;
  const auto take = [&](const Batch& batch) {
    lines += support::print_rows(batch);
    CHECK(batch.codes("record")[0] == 0);
  };
  Mapper(records, {.edits = 1}).map(reads, {.columns = kColumns}, take);
  CHECK(lines == "a\tr\t5\t-\t0\t0\t60\t20=\t1\t1\n");
  lines.clear();
  Mapper(records, {.error_rate = 0.1, .unmapped = true}).map(reads, {.columns = kColumns}, take);
  CHECK(lines == "a\tr\t5\t-\t0\t0\t60\t20=\t1\t1\nnone\t.\t.\t.\t.\t.\t.\t.\t.\t0\n");
}

TEST_CASE("wrong calls of the mapper are refused", "[map][batches]") {
  const std::vector<NamedSequence> records{{"r", "ACGTACGTTTGACA"}};
  CHECK_THROWS_AS(Mapper(records, {}), UsageError);
  CHECK_THROWS_AS(Mapper(records, {.edits = 1, .error_rate = 0.1}), UsageError);
  CHECK_THROWS_AS(Mapper(records, {.edits = 1, .algorithm = "planes"}), UsageError);
  CHECK_THROWS_AS(Mapper("/nonexistent.fa", {.edits = 1}), IoError);
  CHECK_THROWS_AS(Mapper(std::span<const NamedSequence>(), {.edits = 1}), DataError);
  const Mapper mapper(records, {.edits = 1});
  const TakeBatch ignore = [](const Batch&) {};
  const auto map = [&](std::string_view name, std::string_view bases) {
    const NamedSequence read{name, bases};
    mapper.map({&read, 1}, {}, ignore);
  };
  CHECK_THROWS_WITH(map("a", "ACG\nT"), ContainsSubstring("position 4"));
  CHECK_THROWS_WITH(map("", "ACGT"), ContainsSubstring("no name"));
  CHECK_THROWS_WITH(map("a", "AC1T"), ContainsSubstring("position 3"));
  CHECK_THROWS_AS(mapper.map({}, {.columns = {"record_number"}}, ignore), UsageError);
  CHECK_THROWS_AS(mapper.map_files({}, {}, ignore), UsageError);
  int batches = 0;
  mapper.map({}, {}, [&](const Batch& batch) {
    ++batches;
    CHECK(batch.rows() == 0);
  });
  CHECK(batches == 1);
}

}  // namespace basesweep::test_mapper
