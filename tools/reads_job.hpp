// The common part of the runs of commands that write reads.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "lib/pipeline/read_pipeline.hpp"
#include "lib/reads/read_source.hpp"
#include "tools/job.hpp"
#include "tools/reads_options.hpp"

namespace basesweep {

class ReadsJob : public Job {
 public:
  ReadsOptions& options() override = 0;
  const ReadsOptions& options() const override = 0;

  int show_columns() override { return 0; }
  // Opens the reads, then calls prepare().
  void open_text(const PartSet* parts, Run& run) final;
  std::optional<PartHead> part() const override { return std::nullopt; }
  void search(Run& run) final;
  void merge(PartSet& parts, const Run& run) override;
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
  // Known after add_outputs().
  virtual const ReadTargets& targets() const = 0;

  // Called before the reads are processed, for commands that read them twice.
  virtual void read_first(Run& /*run*/) {}
  // Sends all reads through a processor that writes none.
  void read_through(ReadProcessor& processor, const Run& run) const;

  // Where the run takes the reads from, if not from reads().
  virtual RawReadSource& source() { return *reads_; }

  // The rest is known after open_text() has begun.
  ReadSource& reads() const { return *reads_; }
  // Whether consecutive reads are mates.
  bool paired() const { return paired_; }
  // The bytes of a file of this format before its reads. Of SAM and BAM: the lines of the input's header besides those
  // of its records, and a @PG line. `read_groups`: see unaligned_header_text().
  std::string header(OutputFormat format, const std::string& command_line,
                     const std::optional<std::string>& read_groups = std::nullopt) const;
  // Throws UsageError if reads cannot be written in this format: FASTQ needs the qualities that FASTA lacks. `asked`:
  // what asks for it, for messages.
  void check_format(OutputFormat format, const std::string& asked) const;
  // The format of the first input that is not empty: fastq, fasta, or bam for SAM, BAM and CRAM.
  OutputFormat input_format() const { return input_format_; }

 private:
  std::unique_ptr<ReadSource> open_reads(const Run& run, std::function<void(const std::string&)> warn) const;

  std::unique_ptr<ReadSource> reads_;
  bool paired_ = false;
  OutputFormat input_format_ = OutputFormat::fastq;
  ReadSummary found_;
};

}  // namespace basesweep
