// Batches of the library, compared with the tables of the program and with single results.
#include <fmt/format.h>

#include <basesweep/basesweep.hpp>
#include <basesweep/guides.hpp>
#include <basesweep/pcr.hpp>
#include <basesweep/pwm.hpp>
#include <memory>
#include <random>

#include "lib/pipeline/pipeline.hpp"
#include "lib/reader/reader.hpp"
#include "lib/search/edit_options.hpp"
#include "lib/search/make_matcher.hpp"
#include "lib/writer/line_formatter.hpp"
#include "tests/support/batches.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/files.hpp"

namespace basesweep::test_batches {

using Catch::Matchers::ContainsSubstring;

namespace {

using Columns = std::vector<std::string>;

class TextSink final : public ByteSink {
 public:
  void write(std::string_view bytes) override { text += bytes; }
  std::string text;
};

std::string random_bases(std::mt19937& random, std::size_t length, std::string_view letters = "ACGT") {
  std::string bases(length, 'A');
  for (char& base : bases) base = letters[random() % letters.size()];
  return bases;
}

// A file with some records, and the same in memory.
struct Records {
  explicit Records(std::mt19937& random, const std::vector<std::size_t>& lengths) {
    for (const std::size_t length : lengths) {
      names.push_back(fmt::format("r{}", names.size()));
      bases.push_back(random_bases(random, length, "ACGTACGTacgtN"));
    }
    std::string text;
    for (std::size_t i = 0; i < names.size(); ++i) {
      views.push_back({names[i], bases[i]});
      text += fmt::format(">{}\n{}\n", names[i], bases[i]);
    }
    path = folder.path("text.fa");
    support::write_file(path, text);
  }

  support::ScratchFolder folder;
  std::vector<std::string> names, bases;
  std::vector<NamedSequence> views;
  std::string path;
};

// The table of the program, without its header.
std::string program_table(const PatternSet& patterns, Report report, const SelectOptions& select,
                          const std::string& path, const Columns& columns, std::uint32_t flank) {
  HitRowOptions rows;
  rows.flank = flank;
  rows.files = {path};
  rows.standing = select.best_per_record;
  const auto formatter = make_hit_formatter(patterns, OutputFormat::tsv, rows, {.columns = {.only = columns}});
  const auto matcher = make_matcher(patterns, {{.threads = 2}});
  PipelineOptions options;
  options.report = report;
  options.select = select;
  options.threads = 2;
  TextSink sink;
  const PipelineOutput output{{formatter.get(), &sink}};
  Reader reader({.paths = {path}});
  run_pipeline(options, reader, patterns, *matcher, output);
  return sink.text.substr(sink.text.find('\n') + 1);
}

// All batches as lines; checks their sizes.
class Lines {
 public:
  explicit Lines(std::size_t batch_rows) : batch_rows_(batch_rows) {}
  TakeBatch take() {
    return [this](const Batch& batch) {
      CHECK(last_ == batch_rows_);  // only the last has fewer rows
      last_ = batch.rows();
      CHECK(last_ <= batch_rows_);
      text += support::print_rows(batch);
      ++batches;
    };
  }
  std::string text;
  std::size_t batches = 0;

 private:
  const std::size_t batch_rows_;
  std::size_t last_ = batch_rows_;
};

}  // namespace

TEST_CASE("batches hold what tables of the program show", "[batches]") {
  std::mt19937 random(3);
  const Records records(random, {0, 30'000, 1, 0, 150'000, 40});
  const Columns places{"record", "start", "end", "pattern", "strand"};
  Columns with_edits = places;
  for (const char* const name : {"edits", "indels", "mismatches", "insertions", "deletions", "cigar", "bed_score",
                                 "matched", "aligned_pattern", "aligned_text", "file"}) {
    with_edits.push_back(name);
  }
  const std::vector<NamedPattern> given{{"b", "ACGTN"}, {"a", "GGATCCA"}, {"two", "TTGACA|CCCGT"}};
  std::vector<Pattern> patterns;
  for (const NamedPattern& one : given) patterns.push_back({one.name, one.bases});
  const std::size_t batch_rows = GENERATE(65'536, 100, 1);

  SECTION("exact") {
    Columns columns = places;
    columns.insert(columns.end(), {"matched", "upstream", "downstream", "file"});
    const PatternSet set(patterns, StrandChoice::both, PalindromeChoice::once);
    Lines lines(batch_rows);
    const SearchSummary summary =
        Searcher(given, {.flank = 4, .threads = 2})
            .search_files({records.path}, {.columns = columns, .batch_rows = batch_rows}, lines.take());
    CHECK(lines.text == program_table(set, Report::sites, {}, records.path, columns, 4));
    CHECK(lines.batches == (summary.hits + batch_rows - 1) / batch_rows);
  }
  SECTION("edits") {
    const auto report = GENERATE(SearchOptions::Report::sites, SearchOptions::Report::all, SearchOptions::Report::best,
                                 SearchOptions::Report::best_per_record);
    SearchOptions options{.edits = 1, .report = report, .threads = 2};
    EditOptions limits{.edits = 1};
    Columns columns = with_edits;
    SelectOptions select{.best = report == SearchOptions::Report::best};
    if (report == SearchOptions::Report::best_per_record) {
      select.best_per_record = true;
      columns.insert(columns.end(), {"best", "next_edits"});
    } else {
      options.overhang_5prime = limits.overhang_5prime = 4;
      columns.insert(columns.end(), {"pattern_start", "pattern_end"});
    }
    const Report internal = report == SearchOptions::Report::all               ? Report::all
                            : report == SearchOptions::Report::best            ? Report::best
                            : report == SearchOptions::Report::best_per_record ? Report::best_per_record
                                                                               : Report::sites;
    const PatternSet set(patterns, StrandChoice::both, PalindromeChoice::once, limits);
    Lines lines(batch_rows);
    Searcher(given, options).search_files({records.path}, {.columns = columns, .batch_rows = batch_rows}, lines.take());
    CHECK(lines.text == program_table(set, internal, select, records.path, columns, 0));
  }
}

TEST_CASE("batches of records in memory have their names and indices", "[batches]") {
  const std::vector<NamedSequence> records{{"same", "GAATTC"}, {"", ""}, {"same", "ccGAATTC"}, {"a b", "GAATTCGAATTC"}};
  const Searcher searcher({{"x", "GAATTC"}});
  std::string lines;
  searcher.search(records, {.columns = {"record_number", "record", "start"}}, [&](const Batch& batch) {
    lines += support::print_rows(batch);
    REQUIRE(batch.table("record").size() == 2);
    CHECK(batch.table("record")[0] == "same");
    CHECK(batch.validity("start").empty());
    CHECK(batch.codes("record")[1] == 0);
  });
  CHECK(lines == "0\tsame\t0\n2\tsame\t2\n3\ta b\t0\n3\ta b\t6\n");
}

TEST_CASE("an exact search has columns of edits too", "[batches]") {
  const NamedSequence record{"r", "ttGAATTCaGGATCTcc"};
  const Searcher searcher({{"EcoRI", "GAATTC"}, {"n", "AGATCC"}});
  std::string lines;
  searcher.search(
      {&record, 1},
      {.columns = {"start", "edits", "insertions", "cigar", "aligned_pattern", "aligned_text", "pattern_end"}},
      [&](const Batch& batch) { lines += support::print_rows(batch); });
  CHECK(lines == "2\t0\t0\t6=\tGAATTC\tGAATTC\t6\n9\t0\t0\t6=\tAGATCC\tAGATCC\t6\n");
  std::vector<std::string> usual;
  searcher.search({&record, 1}, ColumnOptions{}, [&](const Batch& batch) {
    for (const ColumnInfo& column : batch.columns()) usual.push_back(column.name);
  });
  CHECK(usual.front() == "record");
  for (const ColumnInfo& column : searcher.columns()) {
    CHECK(!column.meaning.empty());
    CHECK(column.usual == (std::count(usual.begin(), usual.end(), column.name) == 1));
  }
}

TEST_CASE("a table of patterns has their order", "[batches]") {
  const NamedSequence record{"r", "AAAACCCC"};
  const Searcher searcher({{"long", "AAAACCC"}, {"short", "CC"}, {"none", "GTAC"}});
  searcher.search({&record, 1}, {.columns = {"pattern", "strand"}}, [&](const Batch& batch) {
    const Texts table = batch.table("pattern");
    REQUIRE(table.size() == 3);
    CHECK(table[2] == "none");
    CHECK(batch.codes("pattern")[0] == 0);
    CHECK(batch.codes("pattern")[1] == 1);
    CHECK(batch.table("strand")[1] == "-");
  });
}

TEST_CASE("wrong columns are refused", "[batches]") {
  const NamedSequence record{"r", "ACGT"};
  const Searcher searcher({{"x", "ACG"}});
  const auto search = [&](const ColumnOptions& columns, const TakeBatch& take) {
    searcher.search({&record, 1}, columns, take);
  };
  const TakeBatch nothing = [](const Batch&) {};
  CHECK_THROWS_WITH(search({.columns = {"strat"}}, nothing), ContainsSubstring("start"));
  CHECK_THROWS_WITH(search({.columns = {"upstream"}}, nothing), ContainsSubstring("flank"));
  CHECK_THROWS_AS(search({.columns = {"part_inside"}}, nothing), UsageError);
  CHECK_THROWS_WITH(search({.columns = {"start", "start"}}, nothing), ContainsSubstring("twice"));
  CHECK_THROWS_AS(search({.batch_rows = 0}, nothing), UsageError);
  CHECK_THROWS_AS(search({.batch_rows = 65'537}, nothing), UsageError);
  CHECK_THROWS_AS(search({}, {}), UsageError);
  search({.columns = {"start", "record"}}, [](const Batch& batch) {
    CHECK_THROWS_WITH(batch.integers("end"), ContainsSubstring("no column 'end'"));
    CHECK_THROWS_WITH(batch.reals("start"), ContainsSubstring("integers, not reals"));
    CHECK_THROWS_AS(batch.texts("record"), UsageError);
    CHECK_THROWS_AS(batch.text("start", 0), UsageError);
  });
}

TEST_CASE("without results there is one batch without rows", "[batches]") {
  const NamedSequence record{"r", "ACGT"};
  int batches = 0;
  Searcher({{"x", "GGG"}}).search({&record, 1}, {.columns = {"record", "cigar"}}, [&](const Batch& batch) {
    ++batches;
    CHECK(batch.rows() == 0);
    CHECK(batch.columns().size() == 2);
    CHECK(batch.table("record").size() == 0);
    CHECK(batch.texts("cigar").size() == 0);
  });
  CHECK(batches == 1);
  CHECK(Batch().rows() == 0);
  CHECK(Batch().columns().empty());
  CHECK_THROWS_AS(Batch().integers("start"), UsageError);
}

TEST_CASE("a batch that is kept is not changed", "[batches]") {
  std::mt19937 random(1);
  const std::string bases = random_bases(random, 10'000);
  const NamedSequence record{"r", bases};
  const Searcher searcher({{"x", "AC"}});
  std::vector<Batch> kept;
  std::string lines;
  searcher.search({&record, 1}, {.columns = {"record", "start", "matched"}, .batch_rows = 64}, [&](const Batch& batch) {
    lines += support::print_rows(batch);
    kept.push_back(batch);
  });
  REQUIRE(kept.size() > 5);
  std::string again;
  for (const Batch& batch : kept) again += support::print_rows(batch);
  CHECK(again == lines);
}

TEST_CASE("rows before an error come, and an exception of the function ends the search", "[batches]") {
  const std::vector<NamedSequence> records{{"r", "ACGG"}, {"bad", "AC\nGT"}};
  const Searcher searcher({{"x", "ACG"}});
  std::size_t rows = 0;
  CHECK_THROWS_AS(searcher.search(records, {.columns = {"start"}}, [&](const Batch& batch) { rows += batch.rows(); }),
                  DataError);
  CHECK(rows == 1);
  int calls = 0;
  const auto stop = [&](const Batch&) {
    ++calls;
    throw std::runtime_error("enough");
  };
  CHECK_THROWS_WITH(searcher.search(records, {.columns = {"start"}}, stop), "enough");
  CHECK_THROWS_WITH(searcher.search(std::span(records).first(1), {.columns = {"start"}}, stop), "enough");
  CHECK(calls == 2);
}

TEST_CASE("a column of long texts makes small batches", "[batches]") {
  std::mt19937 random(1);
  const std::string left = random_bases(random, 20), right = random_bases(random, 20);
  std::string turned(right.rbegin(), right.rend());
  for (char& base : turned) base = base == 'A' ? 'T' : base == 'C' ? 'G' : base == 'G' ? 'C' : 'A';
  std::string bases;
  for (int i = 0; i < 8; ++i) bases += left + std::string(3'000'000, 'A') + turned;
  const NamedSequence record{"r", bases};
  const Pcr pcr({{"x", left, right}}, {.edits = 0, .max_size = 4'000'000});
  std::vector<std::size_t> rows;
  pcr.search({&record, 1}, {.columns = {"pair", "matched"}}, [&](const Batch& batch) {
    rows.push_back(batch.rows());
    CHECK(batch.texts("matched")[0].size() == 3'000'040);
    CHECK(batch.texts("matched")[batch.rows() - 1].ends_with(turned));
  });
  CHECK(rows == std::vector<std::size_t>{5, 3});
}

}  // namespace basesweep::test_batches
