// basesweep count: counts the reads of each guide of a library, writes a table with a column for each sample.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lib/base/error.hpp"
#include "lib/base/stream_names.hpp"
#include "lib/counting/guide_counter.hpp"
#include "lib/pipeline/molecule_parts.hpp"
#include "lib/pipeline/read_totals.hpp"
#include "lib/report/findings.hpp"
#include "lib/report/guide_tables.hpp"
#include "lib/structure/read_layout.hpp"
#include "tools/commands.hpp"
#include "tools/count_options.hpp"
#include "tools/count_parts.hpp"
#include "tools/count_samples.hpp"
#include "tools/count_windows.hpp"
#include "tools/print.hpp"
#include "tools/reads_job.hpp"

namespace basesweep {
namespace {

// "a.fq", "a.fq and b.fq", "a.fq and 3 other files".
std::string list_files(const std::vector<std::string>& files) {
  if (files.size() == 1) return files.front();
  if (files.size() == 2) return files[0] + " and " + files[1];
  return fmt::format("{} and {} other files", files.front(), files.size() - 1);
}

class CountJob final : public ReadsJob {
 public:
  explicit CountJob(CountOptions options) : o_(std::move(options)) {}

  const char* command() const override { return "count"; }
  CountOptions& options() override { return o_; }
  const CountOptions& options() const override { return o_; }

  void settle(const PartSet* parts) override {
    if (parts != nullptr) return take_parts(*parts);
    check_count_options(o_);
    format_ = (o_.is_chunk() ? o_.format : choose_format(o_, kCountFormats)).value_or(OutputFormat::tsv);
    if (!o_.structures.empty()) settle_structure();
    samples_ = find_samples(o_);
  }

  void find_queries(const PartSet* parts, Run& run) override {
    if (parts != nullptr) return;
    library_ = read_library(o_.library, o_.equal);
    check_genes();
    if (library_.merged != 0) {
      run.note(fmt::format("{}: {} merged with {} of the same sequence", library_.path,
                           library_.merged == 1 ? "1 guide is" : fmt::format("{} guides are", library_.merged),
                           library_.merged == 1 ? "another one" : "others"));
    }
    warn_of_nested(run);
    lookup_.emplace(sequences_of(library_), o_.lookup());
  }

  void add_files(Outputs& outputs) override {
    table_ = &outputs.add("--output", o_.output, {.format = format_});
    if (!o_.summary.empty()) summary_ = &outputs.add("--summary", o_.summary);
  }

  void write_tables(const Run& run) override {
    if (counter_) counter_->finish();
    for (std::size_t i = 0; i < merged_molecules_.size(); ++i) {
      merged_counts_[i].guides.resize(library_.guides.size(), 0);
      merged_molecules_[i].count(merged_counts_[i].guides);
    }
    table_->write(guide_table(library_, sample_counts(), format_));
    if (summary_ != nullptr) summary_->write(sample_table(sample_counts(), counts_molecules()));
    for (const SampleCounts& sample : sample_counts()) {
      if (sample.reads != 0 && sample.counted() == 0)
        run.warn()(fmt::format("sample {}: none of {} has a guide of {}", sample.name, counted(sample.reads, "read"),
                               library_.path));
    }
  }

  void add_findings(nlohmann::ordered_json& report) const override {
    add_guide_counts({library_, o_.strand, sample_counts(), inputs_, counts_molecules()}, summary(), report);
  }

  // Molecules are rows of a part, since several chunks may have the same.
  std::string totals() const override {
    if (!counts_molecules()) return print_totals(summary(), sample_counts());
    std::vector<SampleCounts> without_guides(sample_counts().size());
    for (std::size_t i = 0; i < without_guides.size(); ++i) without_guides[i] += sample_counts()[i];
    return print_totals(summary(), without_guides);
  }
  std::string found() override {
    SampleCounts all;
    for (const SampleCounts& sample : sample_counts()) all += sample;
    if (all.reads == 0) return "no reads";
    std::string molecules;
    if (counts_molecules()) {
      std::uint64_t sum = 0;
      for (const SampleCounts& sample : sample_counts()) sum += sample.molecules();
      molecules = fmt::format(" ({})", counted(sum, "UMI"));
    }
    return fmt::format("{} of {} counted{}, {} ambiguous", grouped(all.counted()), counted(all.reads, "read"),
                       molecules, grouped(all.ambiguous));
  }

 protected:
  bool asks_for_pairs() const override { return layout_ ? layout_->mates() == 2 : o_.mate == 2; }
  void prepare(Run& run) override {
    if (o_.mate == 2 && !paired()) throw UsageError("--mate 2: the reads are not pairs");
    if (layout_) check_mates(*layout_, paired(), "--structure");
    check_streams();
    const bool interleaved = paired() && o_.first_mates.empty();
    inputs_ = find_windows(o_, library_, interleaved, layout(), reads().first_block());
    std::vector<CountedInput> counted;
    for (std::size_t i = 0; i < inputs_.size(); ++i) {
      inputs_[i].sample = samples_.of_inputs[i];
      counted.push_back({inputs_[i].sample, inputs_[i].windows});
    }
    say_starts(run);
    counter_.emplace(*lookup_, library_.guides.size(), samples_.names, std::move(counted),
                     GuideCounterOptions{.paired = paired(), .second_mates = o_.mate == 2, .layout = layout()});
  }
  ReadProcessor& processor() override { return *counter_; }
  OutputFormat output_format() const override { return OutputFormat::fastq; }
  const ReadTargets& targets() const override { return targets_; }
  RunParameters run_parameters() const override {
    RunParameters all = parameters_of(count_options(), o_);
    all.emplace_back("output", word_of(format_));
    return all;
  }
  ReadFiles files() const override { return {}; }
  std::string own_query() const override {
    return print_count({library_, samples_.names, inputs_, o_.mate == 2, counts_molecules()});
  }
  std::string reference() const override { return o_.library; }
  RunParameters merged_parameters() const override { return {{"output", word_of(format_)}}; }
  void take_totals(std::string_view bytes, const std::string& path) override {
    add_totals(bytes, path, summary(), merged_counts_);
  }
  void write_own_rows(PartWriter& part) override {
    counter_->finish();
    write_molecules(counter_->molecules(), part);
  }
  void merge_rows(PartSet& parts, const Run& run) override {
    if (!counts_molecules()) return ReadsJob::merge_rows(parts, run);
    read_molecules(parts, library_.guides.size(), run.threads(), merged_molecules_);
  }

 private:
  const ReadLayout* layout() const { return layout_ ? &*layout_ : nullptr; }

  // Parses the structure, and says which mate has the guide, which --mate does only if both may.
  void settle_structure() {
    layout_ = parse_layout(o_.structures);
    for (const LayoutSegment& at : layout_->of(SegmentKind::cell)) {
      if (!(*layout_)[at].list.empty())
        throw UsageError(fmt::format("--structure {}: count has no lists of cell barcodes, leave out <{}>",
                                     layout_->text(), (*layout_)[at].list));
    }
    if (const std::optional<std::size_t> only = layout_->only_insert(); only && !o_.is_given("--mate"))
      o_.mate = static_cast<std::uint32_t>(*only + 1);
    if (o_.mate > layout_->mates() || !layout_->insert(o_.mate - 1))
      throw UsageError(fmt::format("--structure {}: mate {} has no insert (T or r), in which the guide is",
                                   layout_->text(), o_.mate));
  }

  // Those of the run, or of all parts.
  const std::vector<SampleCounts>& sample_counts() const { return counter_ ? counter_->samples() : merged_counts_; }
  bool counts_molecules() const { return counter_ ? counter_->counts_molecules() : !merged_molecules_.empty(); }

  void take_parts(const PartSet& parts) {
    const std::string& own = take_query(parts);
    check_run_options(o_, parts.paths(), {{"--summary", o_.summary}});
    format_ = choose_format(o_, kCountFormats).value_or(OutputFormat::tsv);
    CountQuery of_parts = parse_count(own, parts);
    library_ = std::move(of_parts.library);
    inputs_ = std::move(of_parts.inputs);
    for (std::string& name : of_parts.samples) {
      SampleCounts& sample = merged_counts_.emplace_back();
      sample.name = std::move(name);
      if (!of_parts.molecules) sample.guides.resize(library_.guides.size(), 0);
    }
    if (of_parts.molecules) merged_molecules_.resize(merged_counts_.size());
    check_genes();
  }

  void check_genes() const {
    if (format_ == OutputFormat::mageck && !library_.has_genes)
      throw UsageError(fmt::format("{}: no column of genes, which MAGeCK's table has: --format tsv", library_.path));
  }

  // The window of a stream is found in its first reads, which one chunk sees.
  void check_streams() const {
    if (!is_chunk() || o_.window) return;
    for (const std::string& path : o_.guide_files()) {
      if (!is_regular_file(path)) {
        throw UsageError(
            fmt::format("{}: chunks find the window of starts at the start of files, which this is not: give it (--at)",
                        input_name(path)));
      }
    }
  }

  void warn_of_nested(const Run& run) const {
    const std::vector<NestedGuide> nested = nested_guides(library_);
    if (nested.empty()) return;
    const auto& guides = library_.guides;
    run.warn()(
        fmt::format("{}: guide '{}' is a part of guide '{}'{}: reads count for the longer one where both fit",
                    library_.path, guides[nested.front().guide].name, guides[nested.front().longer].name,
                    nested.size() == 1 ? "" : fmt::format(", and {} more are parts of others", nested.size() - 1)));
  }

  bool searches(std::size_t strand) const {
    return o_.strand != (strand == 0 ? StrandChoice::minus : StrandChoice::plus);
  }

  // Says where guides were found in the first reads, each window once, and warns where few or none were.
  void say_starts(const Run& run) const {
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<std::string>> by_window[2];
    for (const InputStarts& input : inputs_) {
      if (!input.found || input.found->reads == 0) continue;
      for (const std::size_t strand : {0, 1}) {
        const std::optional<StartWindow>& window = input.found->windows[strand];
        if (searches(strand) && window) by_window[strand][{window->first, window->last}].push_back(input.path);
      }
      warn_of_starts(input, run);
    }
    for (const std::size_t strand : {0, 1}) {
      for (const auto& [window, files] : by_window[strand]) {
        run.note(fmt::format(
            "{} begin at base {} (0-based) of the {} of {}", strand == 0 ? "guides" : "reverse complements of guides",
            print_window({window.first, window.second}), layout_ ? "inserts of reads" : "reads", list_files(files)));
      }
    }
  }

  void warn_of_starts(const InputStarts& input, const Run& run) const {
    const FoundStarts& found = *input.found;
    const std::string reads = found.reads == 1 ? "1 read" : fmt::format("{} reads", grouped(found.reads));
    const bool one_strand = o_.strand != StrandChoice::both;
    const std::size_t strand = o_.strand == StrandChoice::minus ? 1 : 0;
    const std::uint64_t other = found.matching[1 - strand];
    if (one_strand && other > found.matching[strand] && 100 * other >= found.reads) {
      run.warn()(
          fmt::format("{}: of the first {}, {} have a guide on the {} strand and {} on the {} strand: --strand {}?",
                      input.path, reads, grouped(found.matching[strand]), strand == 0 ? "plus" : "minus",
                      grouped(other), strand == 0 ? "minus" : "plus", strand == 0 ? "minus" : "plus"));
    } else if (found.matching[0] + found.matching[1] == 0) {
      run.warn()(
          fmt::format("{}: none of the first {} has a guide of {} without an edit, on either strand: is it the "
                      "library of these reads, and does it have the guides alone?",
                      input.path, reads, library_.path));
    }
  }

  CountOptions o_;
  OutputFormat format_ = OutputFormat::tsv;
  std::optional<ReadLayout> layout_;  // of the reads
  CountSamples samples_;
  GuideLibrary library_;
  std::optional<GuideLookup> lookup_;
  std::vector<InputStarts> inputs_;
  std::optional<GuideCounter> counter_;
  std::vector<SampleCounts> merged_counts_;
  std::vector<MoleculeSet> merged_molecules_;  // of each sample of parts, if they are counted
  const ReadTargets targets_{};
  ByteSink* table_ = nullptr;
  ByteSink* summary_ = nullptr;
};

}  // namespace

Work add_count_command(CLI::App& app) {
  auto options = std::make_shared<CountOptions>();
  CLI::App& command = add_command(app, "count", "Count the reads of guides or barcodes; write a table of samples",
                                  kReadCommands, count_help());
  add_count_options(command, *options);
  return [options](PartSet* parts) {
    CountJob job(*options);
    return run_job(job, parts);
  };
}

}  // namespace basesweep
