// The common part of the runs of `motif`, `match` and `pwm`, whose rows are hits.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "lib/pipeline/matrix_hits.hpp"
#include "lib/pipeline/pipeline.hpp"
#include "lib/report/count_table.hpp"
#include "lib/rows/hit_rows.hpp"
#include "lib/tallies/hit_tally.hpp"
#include "tools/text_job.hpp"

namespace basesweep {

class HitJob : public TextJob {
 public:
  void add_outputs(Outputs& outputs, const std::optional<PartHead>& part) final;
  RunParameters parameters() const override { return with_columns(own_parameters()); }
  void search(Run& run) override;
  void merge(PartSet& parts, const Run& run) override;
  RunSummary& summary() final { return found_; }
  void take_summaries(const Summaries& summaries, const PartSet& parts) final;
  void write_tables(const Run& run) override;
  void add_findings(nlohmann::ordered_json& report) const override;
  ChunkSummary chunk_summary() const final;
  std::string found() override;
  std::string found_more() override;
  void warn_at_end(const Run& run, bool merged) override;

 protected:
  // The options that affect the result, as the label of a part has them.
  virtual RunParameters own_parameters() const = 0;
  // The subject of the tables of --count.
  virtual CountedBy counted_by() const = 0;
  // Second names of the patterns, for --count.
  virtual std::vector<std::string> second_names() const { return {}; }
  virtual std::unique_ptr<Matcher> make_searcher(const MatcherOptions& options);
  // The matrices that the patterns stand for; null: there are none.
  virtual const MatrixSet* matrices() const { return nullptr; }
  // The formatter of hits: rows(), or the one that collect() needs.
  virtual const Formatter* hit_formatter() const { return rows(); }
  // Whether collect() chooses among the hits and prints them with counted_rows().
  virtual bool collects_rows() const { return false; }
  // rows(), with what counts them for plots.
  const Formatter& counted_rows() const { return counting_ ? *counting_ : *rows(); }
  // Takes the output of hit_formatter(), and writes to the sink; null: that output is written as it is.
  virtual std::unique_ptr<HitCollector> collect(ByteSink& /*to*/) { return nullptr; }
  // Whether rows are those of a table, so that a part keeps the counts of hits too.
  virtual bool makes_table() const { return false; }
  // How many hits the selector takes.
  virtual std::optional<std::uint64_t> max_hits() const { return options().max_hits; }
  // Whether the letters of a hit of a part are possible; its other fields are checked.
  virtual bool can_be(const PlacedHit& /*hit*/) const { return true; }

  RunParameters label_parameters() const override;
  std::unique_ptr<Formatter> make_part_rows() const override;
  // Adds the columns of tables of patterns, where they are given.
  RunParameters with_columns(RunParameters parameters) const;
  // Whether hits are written, or go into a part; otherwise they are only counted.
  bool prints_hits() const;

  RunSummary found_;
  std::unique_ptr<HitTally> tally_;  // null: nothing is counted for plots

 private:
  PipelineOutput pipeline_output();
  SelectOptions select_options(bool chunk) const;
  void finish(HitCollector* collector);

  std::unique_ptr<Formatter> counting_;  // rows(), with the tally

  RecordSinks matching_reads_;
  RecordSinks other_reads_;
};

// Whether a chunk keeps its hits; otherwise it only counts them.
bool keeps_hits(const SearchJobOptions& options, Report report);
HitRowOptions row_options(const SearchJobOptions& options);

}  // namespace basesweep
