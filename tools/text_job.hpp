// What the runs of `motif`, `match`, `pwm`, `pcr` and `guides` have in common: they search text by batches.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "lib/compiled/compiled_set.hpp"
#include "lib/reader/reader.hpp"
#include "lib/search/matcher.hpp"
#include "lib/search/pattern_set.hpp"
#include "lib/writer/formatter.hpp"
#include "tools/job.hpp"
#include "tools/search_options.hpp"
#include "tools/search_scope.hpp"

namespace basesweep {

class TextJob : public Job {
 public:
  SearchJobOptions& options() override = 0;
  const SearchJobOptions& options() const override = 0;

  void open_text(const PartSet* parts, Run& run) final;
  std::optional<PartHead> part() const final;
  void add_outputs(Outputs& outputs, const std::optional<PartHead>& part) override;

 protected:
  // What follows is known after find_queries().

  // What is looked for, as far as the halos of regions and the label of a part depend on it.
  virtual const PatternSet& patterns() const = 0;
  virtual Report report() const { return Report::sites; }
  // Of a compiled set; null: there are none.
  virtual const StoredTables* tables() const { return nullptr; }
  // The format of the rows, or of the table that takes their place. is_fastq() may be called.
  virtual OutputFormat choose_format() = 0;
  // Of the rows in format(); null: the run writes none. Throws UsageError for unknown columns.
  virtual std::unique_ptr<Formatter> make_formatter() = 0;
  // What a part stores of each row.
  virtual std::unique_ptr<Formatter> make_part_rows() const = 0;
  // What is searched for, encoded for a part.
  virtual std::string print_queries() const = 0;
  // What the label of a part says of the run, also what `merge` chooses anew.
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
  // What makes rows, or what makes those of a part; null: the run writes none.
  const Formatter* rows() const { return part_rows_ ? part_rows_.get() : formatter_.get(); }
  const Formatter* formatter() const { return formatter_.get(); }
  // What options and scope say to a pipeline. Starts the progress.
  void set_text_options(Run& run, TextOptions& to);
  // Where rows go. `written`: they are, and not only counted.
  RowTarget target(bool written) const;
  MatcherOptions matcher_options(const Run& run) const;

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
};

// Opens the inputs for a search of the patterns.
std::unique_ptr<FileSource> open_reader(const SearchJobOptions& options, const PatternSet& patterns,
                                        const Scope& scope);

// The set of patterns that a part holds, and how a part holds one.
CompiledSet set_of(const PartSet& parts);
std::string print_set(CompiledSet set);

}  // namespace basesweep
