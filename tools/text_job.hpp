// The common part of the runs of `motif`, `match`, `pwm`, `pcr` and `guides`, which search text by batches.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "lib/compiled/compiled_set.hpp"
#include "lib/reader/reader.hpp"
#include "lib/search/make_matcher.hpp"
#include "lib/tallies/record_density.hpp"
#include "lib/writer/formatter.hpp"
#include "lib/writer/line_formatter.hpp"
#include "tools/job.hpp"
#include "tools/search_options.hpp"
#include "tools/search_scope.hpp"

namespace basesweep {

class PatternSet;  // lib/search/pattern_set.hpp

class TextJob : public Job {
 public:
  SearchJobOptions& options() override = 0;
  const SearchJobOptions& options() const override = 0;

  void open_text(const PartSet* parts, Run& run) final;
  std::optional<PartHead> part() const final;
  void add_outputs(Outputs& outputs, const std::optional<PartHead>& part) override;

 protected:
  // The functions below may be called after find_queries().

  // The patterns, as far as the halos of regions and the label of a part depend on them.
  virtual const PatternSet& patterns() const = 0;
  virtual Report report() const { return Report::sites; }
  // The format of the rows, or of the table that takes their place. is_fastq() may be called.
  virtual OutputFormat choose_format() = 0;
  // Makes the formatter of rows in format(); null: the run writes none. Throws UsageError for unknown columns.
  virtual std::unique_ptr<Formatter> make_formatter() = 0;
  // Makes the encoder of the rows that a part stores.
  virtual std::unique_ptr<Formatter> make_part_rows() const = 0;
  // The patterns, matrices or guides, encoded for a part.
  virtual std::string print_queries() const = 0;
  // The parameters for the label of a part, including those that `merge` chooses anew.
  virtual RunParameters label_parameters() const = 0;
  // The form of --output in a whole run.
  virtual OutputForm form_of_output() const;

  // Whether the text is FASTQ, or pairs of reads. Waits for its first bytes, unless it is pairs.
  bool is_fastq() const {
    return options().reads_pairs() || (reader_ ? reader_->format() == Format::fastq : parts_are_fastq_);
  }

  // Known after open_text().
  OutputFormat format() const { return format_; }
  const Scope& scope() const { return scope_; }
  FileSource& reader() const { return *reader_; }
  bool is_part() const { return scope_.chunk.has_value(); }
  // The formatter of rows, or the encoder of a part's rows; null: the run writes none.
  const Formatter* rows() const { return part_rows_ ? part_rows_.get() : formatter_.get(); }
  const Formatter* formatter() const { return formatter_.get(); }
  // Sets a pipeline's options from those of the run and its scope. Starts the progress.
  void set_text_options(Run& run, TextOptions& to);
  // The target of the rows. `written`: rows are written, not only counted.
  RowTarget target(bool written) const;
  SearcherOptions searcher_options(const Run& run) const;
  MatcherOptions matcher_options(const Run& run) const;
  // Whether what plots show is counted: for the report of a whole run.
  bool counts_for_plots() const { return options().reports() && !is_part(); }
  // The records of the text, if plots are counted; null for reads, and where not all records become known.
  // Waits for the first bytes of the text, as is_fastq().
  const LongestRecords* longest();
  // After a search with this summary: whether it got all records.
  bool knows_records(const TextSummary& found) const {
    return longest_ && (in_regions_ ? records_known_ : !found.truncated);
  }
  // How the table of --count is printed.
  TableForm table_form() const;
  // Sets compiled_ to the set that the parts hold, or else to the one that a pattern file is.
  void find_compiled_set(const PartSet* parts, SetKind kind);

  std::optional<CompiledSet> compiled_;  // nothing: patterns are read from other files

  // Set by add_outputs(): where rows go, and where tables go; of a part only the first.
  ByteSink* rows_to_ = nullptr;
  ByteSink* tables_to_ = nullptr;

 private:
  Scope scope_;
  std::unique_ptr<FileSource> reader_;
  bool parts_are_fastq_ = false;
  OutputFormat format_ = OutputFormat::tsv;
  std::unique_ptr<Formatter> formatter_;
  std::unique_ptr<Formatter> part_rows_;
  std::optional<LongestRecords> longest_;
  bool records_known_ = false;  // from indices, before the search
  bool in_regions_ = false;     // only hits in regions count
};

// Opens the inputs for a search of the patterns.
std::unique_ptr<FileSource> open_reader(const SearchJobOptions& options, const PatternSet& patterns,
                                        const Scope& scope);

// A set of patterns as a part holds it.
std::string print_set(CompiledSet set);

}  // namespace basesweep
