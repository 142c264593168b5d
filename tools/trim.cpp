// basesweep trim: cuts adapters and bad ends from reads.
#include <fmt/format.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "lib/base/error.hpp"
#include "lib/base/stream_names.hpp"
#include "lib/pipeline/read_totals.hpp"
#include "lib/report/trim_findings.hpp"
#include "lib/trim/trim_row.hpp"
#include "lib/trim/trimmer.hpp"
#include "tools/commands.hpp"
#include "tools/help.hpp"
#include "tools/print.hpp"
#include "tools/reads_job.hpp"
#include "tools/trim_adapters.hpp"
#include "tools/trim_files.hpp"
#include "tools/trim_options.hpp"
#include "tools/trim_parts.hpp"
#include "tools/trim_primers.hpp"

namespace basesweep {
namespace {

class TrimJob final : public ReadsJob {
 public:
  explicit TrimJob(TrimArguments options) : o_(std::move(options)) {}

  const char* command() const override { return "trim"; }
  TrimArguments& options() override { return o_; }
  const TrimArguments& options() const override { return o_; }

  void settle(const PartSet* parts) override {
    if (parts == nullptr) return check_trim_options(o_);
    TrimQuery of_parts = parse_trim(take_query(*parts), *parts);
    if (of_parts.reasons.size() != query()->files.mates_apart.size()) throw damaged_query(*parts);
    check_trim_merge(o_, *query(), *parts);
    kind_ = std::move(of_parts.kind);
    for (const std::size_t mate : {0, 1}) merged_counts_.mates[mate].adapters.resize(kind_.adapters[mate].size());
    format_ = query()->format;
    set_destinations();
    check_trim_reasons(o_, *query(), of_parts.reasons);
  }

  void find_queries(const PartSet* parts, Run& /*run*/) override {
    if (parts != nullptr) return;
    const AdapterDefaults defaults = adapter_defaults();
    int number = 1;
    for (const std::size_t mate : {0, 1}) {
      if (o_.adapters[mate].empty()) continue;
      std::vector<Adapter> adapters = collect_adapters(o_.adapters[mate], defaults, number);
      for (const Adapter& adapter : adapters) {
        if (adapter.is_linked() && o_.action == AdapterAction::crop)
          throw UsageError(fmt::format("--action crop keeps one adapter, but '{}' is linked", adapter.name));
        if (o_.by_overlap.value_or(false) &&
            (adapter.is_linked() || adapter.parts[0].kind != AdapterKind::three_prime)) {
          throw UsageError(
              fmt::format("--by-overlap yes is for 3' adapters (-a and -A), which '{}' is not", adapter.name));
        }
      }
      adapters_[mate] = std::make_shared<AdapterSet>(std::move(adapters));
    }
    const auto count = [this](std::size_t mate) { return adapters_[mate] ? adapters_[mate]->adapters().size() : 0; };
    if (o_.pair_adapters && (count(0) != count(1) || count(0) == 0)) {
      throw UsageError(fmt::format("--pair-adapters needs as many adapters of first as of second mates, not {} and {}",
                                   count(0), count(1)));
    }
    if (!o_.primers.scheme.empty()) primers_ = std::make_shared<PrimerFinder>(find_primers(o_));
  }

  void add_files(Outputs& outputs) override {
    for (const TrimDestination& one : destinations_) {
      ByteSink& first = outputs.add(one.options[0], one.paths[0], {format_, std::nullopt, ""});
      ByteSink* second = &first;
      if (!one.paths[1].empty()) second = &outputs.add(one.options[1], one.paths[1], {format_, std::nullopt, ""});
      const std::string head = header(format_);
      if (!head.empty()) first.write(head);
      if (!head.empty() && second != &first) second->write(head);
      targets_.files.push_back({&first, second});
    }
    if (!o_.table.empty()) {
      targets_.rows = &outputs.add("--table", o_.table);
      targets_.rows->write(kTrimColumns);
    }
  }

  void add_findings(nlohmann::ordered_json& report) const override { add_trimming(kind_, counts(), summary(), report); }

  std::string found() override {
    const TrimCounts& counts = this->counts();
    if (counts.reads == 0) return "no reads";
    const char* const noun = paired() ? "pair" : "read";
    const std::uint64_t written = counts.reasons[static_cast<std::size_t>(TrimReason::written)];
    std::string text = fmt::format("{} of {} written", grouped(written), counted(counts.reads, noun));
    if (paired()) {
      text += fmt::format(", first mates with adapter {}, second mates {}", grouped(counts.mates[0].with_adapter),
                          grouped(counts.mates[1].with_adapter));
    } else {
      text += fmt::format(", {} with adapter", grouped(counts.mates[0].with_adapter));
    }
    if (kind_.primers) {
      text += fmt::format(", {} with primer",
                          grouped(counts.mates[0].with_primer + (paired() ? counts.mates[1].with_primer : 0)));
    }
    if (kind_.by_overlap) text += fmt::format(", {} without bases before the adapter", counted(counts.dimers, "dimer"));
    return text;
  }
  bool found_nothing() override { return counts().reads == 0; }

  void warn_at_end(const Run& run, bool merged) override {
    ReadsJob::warn_at_end(run, merged);
    constexpr std::uint64_t kManyReads = 1000;  // of fewer, all may be without
    const TrimCounts& counts = this->counts();
    if (counts.reads < kManyReads) return;
    const std::string all = counted(counts.reads, paired() ? "pair" : "read");
    if (o_.has_adapters() && counts.mates[0].with_adapter + counts.mates[1].with_adapter == 0)
      run.warn()(fmt::format("none of {} has an adapter: are these the adapters of the library?", all));
    const std::uint64_t with_primer = counts.mates[0].with_primer + counts.mates[1].with_primer;
    if (kind_.primers && 10 * with_primer < counts.reads)
      run.warn()(fmt::format("of {}, {} have a primer: is this the scheme of the reads?", all, grouped(with_primer)));
  }
  std::string totals() const override { return print_totals(summary(), counts()); }

 protected:
  bool asks_for_pairs() const override { return has_options_of_pairs(o_); }
  void prepare(Run& run) override {
    TrimSettings settings = trim_settings(o_, paired());
    for (const std::size_t mate : {0, 1}) settings.mates[mate].adapters = adapters_[mate];
    settings.primers = primers_;
    source_.emplace(reads());
    if (settings.by_overlap && !o_.has_adapters()) take_guess(run, settings);
    choose_format();
    set_destinations();
    for (std::size_t i = 0; i < destinations_.size(); ++i) {
      settings.files[static_cast<std::size_t>(destinations_[i].reason)] = static_cast<std::uint32_t>(i);
    }
    kind_ = kind_of(settings);
    trimmer_.emplace(std::move(settings));
  }
  ReadProcessor& processor() override { return *trimmer_; }
  OutputFormat output_format() const override { return format_; }
  const ReadTargets& targets() const override { return targets_; }
  RawReadSource& source() override { return *source_; }
  RunParameters run_parameters() const override {
    RunParameters all = parameters_of(trim_options(), o_);
    all.emplace_back("paired", paired() ? "yes" : "no");
    all.emplace_back("by_overlap", kind_.by_overlap ? "yes" : "no");
    all.emplace_back("output", word_of(format_));
    return all;
  }
  ReadFiles files() const override {
    ReadFiles files{.mates_apart = {}, .table = !o_.table.empty()};
    for (const TrimDestination& one : destinations_) files.mates_apart.push_back(!one.paths[1].empty());
    return files;
  }
  std::string own_query() const override {
    TrimQuery own{.kind = kind_, .reasons = {}};
    for (const TrimDestination& one : destinations_) own.reasons.push_back(one.reason);
    return print_trim(own);
  }
  std::string command_line() const override { return program_of("trim", trim_options(), o_); }
  RunParameters merged_parameters() const override { return {}; }
  void take_totals(std::string_view bytes, const std::string& path) override {
    add_totals(bytes, path, summary(), merged_counts_);
  }

 private:
  // Those of the run, or of all parts.
  const TrimCounts& counts() const { return trimmer_ ? trimmer_->counts() : merged_counts_; }

  AdapterDefaults adapter_defaults() const {
    return {.max_errors = o_.errors, .min_overlap = o_.overlap, .indels = !o_.no_indels};
  }

  // Finds the adapters of pairs in the first of them; a chunk in those of the whole input.
  AdapterPair guess_adapters(const Run& run) {
    if (!is_chunk()) return source_->guess_adapters();
    for (const std::string& path : o_.read_files()) {
      if (gives_once(path)) {
        throw UsageError(fmt::format(
            "{}: a chunk of a stream does not see the first pairs, which show their adapters: give adapters "
            "(-a, -A)",
            input_name(path)));
      }
    }
    const std::unique_ptr<ReadSource> first = reads_from_start(run);
    return ReadsAfterLook(*first).guess_adapters();
  }

  void take_guess(Run& run, TrimSettings& settings) {
    const AdapterPair guess = guess_adapters(run);
    const std::string* const sequences[2] = {&guess.first, &guess.second};
    for (const std::size_t mate : {0, 1}) {
      if (sequences[mate]->empty()) continue;
      Adapter adapter = parse_adapter(*sequences[mate], AdapterKind::three_prime, adapter_defaults());
      adapter.name = guess.name;
      settings.mates[mate].adapters = std::make_shared<AdapterSet>(std::vector<Adapter>{std::move(adapter)});
    }
    if (guess.first.empty() && guess.second.empty()) {
      run.note("the first pairs have no adapter; pairs are cut by the overlap of mates alone");
    } else {
      run.note(fmt::format("adapters of the first pairs ({}): -a {} -A {}", guess.name, guess.first, guess.second));
    }
  }

  // SAM stays text; CRAM becomes BAM.
  OutputFormat format_of_input() {
    if (input_format() != OutputFormat::bam) return input_format();
    return reads().sources().front().alignments->format == AlignmentFormat::sam ? OutputFormat::sam : OutputFormat::bam;
  }

  void choose_format() {
    format_ = choose_trim_format(o_).value_or(format_of_input());
    check_format(format_, o_.format ? "--format fastq" : o_.output);
  }

  void set_destinations() {
    check_trim_names(o_, format_);
    destinations_ = trim_destinations(o_);
  }

  TrimArguments o_;
  std::shared_ptr<const AdapterSet> adapters_[2];
  std::shared_ptr<const PrimerFinder> primers_;
  std::optional<ReadsAfterLook> source_;
  std::optional<Trimmer> trimmer_;
  TrimKind kind_;
  TrimCounts merged_counts_;
  OutputFormat format_ = OutputFormat::fastq;
  std::vector<TrimDestination> destinations_;
  ReadTargets targets_;
};

}  // namespace

Work add_trim_command(CLI::App& app) {
  auto options = std::make_shared<TrimArguments>();
  CLI::App& command = add_command(app, "trim", "Cut adapters and bad ends from reads", kReadCommands, trim_help());
  add_trim_options(command, *options);
  return [options](PartSet* parts) {
    if (clips_alignments(*options)) return run_clipping(*options, parts);
    TrimJob job(*options);
    return run_job(job, parts);
  };
}

}  // namespace basesweep
