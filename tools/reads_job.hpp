// The common part of the runs of commands that write reads.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "lib/pipeline/read_pipeline.hpp"
#include "lib/reads/read_source.hpp"
#include "tools/job.hpp"
#include "tools/reads_options.hpp"
#include "tools/reads_parts.hpp"

namespace basesweep {

class ReadsJob : public Job {
 public:
  ReadsOptions& options() override = 0;
  const ReadsOptions& options() const override = 0;

  int show_columns() override { return 0; }
  // Opens the reads, then calls prepare(); nothing of it where parts are merged.
  void open_text(const PartSet* parts, Run& run) final;
  RunParameters parameters() const final;
  std::optional<PartHead> part() const final;
  void add_outputs(Outputs& outputs, const std::optional<PartHead>& part) final;
  void search(Run& run) final;
  void merge(PartSet& parts, const Run& run) final;
  ReadSummary& summary() override { return found_; }
  const ReadSummary& summary() const { return found_; }
  std::size_t inputs_read() override { return found_.sources.size(); }
  std::uint64_t bases_read() override { return found_.bases; }
  bool found_nothing() override { return found_.reads == 0; }
  void warn_at_end(const Run& run, bool merged) override;

 protected:
  // The reads are open: what the command must know of them can be asked for.
  virtual void prepare(Run& run) = 0;
  // Known after prepare().
  virtual ReadProcessor& processor() = 0;
  virtual OutputFormat output_format() const = 0;
  virtual RunParameters run_parameters() const = 0;
  // The files of reads of the run; a chunk keeps what goes to them.
  virtual ReadFiles files() const = 0;
  // Opens the files of a whole run, and writes their headers.
  virtual void add_files(Outputs& outputs) = 0;
  // Known after add_files().
  virtual const ReadTargets& targets() const = 0;

  // Whether the options are for pairs. A file of alignments without reads does not say whether it is one of pairs.
  virtual bool asks_for_pairs() const { return false; }
  // Called before the reads are processed, for commands that read them twice.
  virtual void read_first(Run& /*run*/) {}
  // Sends all reads of the input through a processor that writes none.
  void read_through(ReadProcessor& processor, const Run& run) const;

  // For chunks and their merging. What the command must know besides ReadsQuery, and the path that it had it from, if
  // that is one file.
  virtual std::string own_query() const = 0;
  virtual std::string reference() const { return ""; }
  // The parameters that merging sets anew.
  virtual RunParameters merged_parameters() const = 0;
  // Writes what a chunk keeps besides reads as rows of its part, after the last read.
  virtual void write_own_rows(PartWriter& /*part*/) {}
  // Takes the rows of all parts: writes the reads.
  virtual void merge_rows(PartSet& parts, const Run& run);
  // Adds the totals of a part to those of the parts before it, see lib/pipeline/read_totals.hpp.
  virtual void take_totals(std::string_view bytes, const std::string& path) = 0;
  // The command line for @PG.
  virtual std::string command_line() const { return ""; }

  // Takes the query of parts, as the first of all. Returns ReadsQuery::own.
  const std::string& take_query(const PartSet& parts);
  // Null unless parts are merged.
  const ReadsQuery* query() const { return query_ ? &*query_ : nullptr; }

  // Where the run takes the reads from, if not from reads().
  virtual RawReadSource& source() { return *reads_; }

  // The rest is known after open_text() has begun.
  ReadSource& reads() const { return *reads_; }
  // Whether consecutive reads are mates.
  bool paired() const { return paired_; }
  // The reads of the input from the start; of a chunk, reads of their own, for which the input is opened again.
  std::unique_ptr<ReadSource> reads_from_start(const Run& run) const;
  bool is_chunk() const { return chunk_.has_value(); }
  // The bytes of a file of this format before its reads. Of SAM and BAM: the lines of the input's header besides those
  // of its records, and a @PG line. `read_groups`: see unaligned_header_text().
  std::string header(OutputFormat format, const std::optional<std::string>& read_groups = std::nullopt) const;
  // Throws UsageError if reads cannot be written in this format: FASTQ needs the qualities that FASTA lacks. `asked`:
  // what asks for it, for messages.
  void check_format(OutputFormat format, const std::string& asked) const;
  // The format of the first input that is not empty: fastq, fasta, or bam for SAM, BAM and CRAM.
  OutputFormat input_format() const { return input_format_; }

 private:
  ReadSourceOptions source_options(const Run& run) const;
  std::vector<std::string> header_lines() const;

  std::optional<Chunk> chunk_;
  std::optional<ReadsQuery> query_;
  ReadTargets part_targets_;  // of a chunk
  std::unique_ptr<ReadSource> reads_;
  bool paired_ = false;
  OutputFormat input_format_ = OutputFormat::fastq;
  ReadSummary found_;
};

}  // namespace basesweep
