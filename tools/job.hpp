// A run of a command that searches, from its options to its files.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lib/parts/part_set.hpp"
#include "lib/pipeline/text_run.hpp"
#include "lib/report/chunk_summary.hpp"
#include "lib/report/merge_reports.hpp"
#include "lib/report/report.hpp"
#include "lib/search/device.hpp"
#include "tools/job_options.hpp"
#include "tools/outputs.hpp"
#include "tools/part_output.hpp"
#include "tools/run.hpp"

namespace basesweep {

// The own functions of a command. run_job() does the work that all commands share, and calls these functions in this
// order, each once. `parts`: the parts whose run `merge` finishes; null: the run reads text.
class Job {
 public:
  virtual ~Job() = default;

  virtual const char* command() const = 0;  // "motif"
  virtual JobOptions& options() = 0;
  virtual const JobOptions& options() const = 0;
  // Prints the list that --columns help asks for; nothing else is done then. Returns the exit code.
  virtual int show_columns() = 0;
  // Throws UsageError if options conflict or parts cannot give what they ask for. Sets those that follow from others.
  virtual void settle(const PartSet* parts) = 0;
  // Does a run that needs no text. False: it is none.
  virtual bool answer_without_text(Run& /*run*/) { return false; }
  // Reads or takes from the parts what is searched for.
  virtual void find_queries(const PartSet* parts, Run& run) = 0;
  // Opens the text, and chooses what rows look like.
  virtual void open_text(const PartSet* parts, Run& run) = 0;
  // The options that affect the result, for the report.
  virtual RunParameters parameters() const = 0;
  // The contents of a chunk's part before its rows. Nothing: the run is whole.
  virtual std::optional<PartHead> part() const = 0;
  // Puts the searcher's description of itself into the report.
  void describe(RunReport& report) const {
    report.matcher = matcher_;
    report.batches = batches_;
  }
  // Opens the files.
  virtual void add_outputs(Outputs& outputs, const std::optional<PartHead>& part) = 0;
  // Searches the text, or writes what parts have, and fills summary().
  virtual void search(Run& run) = 0;
  virtual void merge(PartSet& parts, const Run& run) = 0;
  virtual TextSummary& summary() = 0;
  // After merge(): takes what the parts say at their ends, and throws UsageError where that is not enough.
  virtual void take_summaries(const Summaries& /*summaries*/, const PartSet& /*parts*/) {}
  // Whether each chunk of a run reads all of the inputs.
  virtual bool chunks_read_all() const { return false; }
  // Writes the tables of a whole run, and warns of what was not found.
  virtual void write_tables(const Run& /*run*/) {}
  // Adds what was found to the report (lib/report/findings.hpp).
  virtual void add_findings(nlohmann::ordered_json& report) const = 0;
  // The contents of a chunk's part after its rows, and its totals.
  virtual ChunkSummary chunk_summary() const { return {}; }
  virtual std::string totals() const { return ""; }
  // For the last line on stderr: how much was read, in inputs and bases, and what was found.
  virtual std::size_t inputs_read() { return options().inputs.size(); }
  virtual std::uint64_t bases_read();
  virtual std::string found() = 0;
  // More of it, for terminals: "2 of 30 patterns have no hit"; "": nothing.
  virtual std::string found_more() { return ""; }
  virtual bool found_nothing() { return summary().hits == 0; }
  // Warns of what the run left out, once all files are there.
  virtual void warn_at_end(const Run& /*run*/, bool /*merged*/) {}

 protected:
  // Keeps the searcher's description of itself for the report.
  template <class Searcher>
  void keep(const Searcher& searcher) {
    matcher_ = searcher.describe();
    batches_ = searcher.batches();
  }

 private:
  std::string matcher_;
  std::vector<DeviceBatches> batches_;
};

// Does the run. Returns the exit code.
int run_job(Job& job, PartSet* parts);

}  // namespace basesweep
