// basesweep demux: sorts reads by the barcodes of samples.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "lib/base/error.hpp"
#include "lib/base/fields.hpp"
#include "lib/demux/barcode_kits.hpp"
#include "lib/demux/chance_calls.hpp"
#include "lib/demux/demux_processor.hpp"
#include "lib/demux/demux_tables.hpp"
#include "lib/demux/sample_distances.hpp"
#include "lib/demux/sheet_caller.hpp"
#include "lib/pipeline/read_totals.hpp"
#include "lib/report/demux_findings.hpp"
#include "lib/structure/cell_lists.hpp"
#include "tools/commands.hpp"
#include "tools/demux_files.hpp"
#include "tools/demux_options.hpp"
#include "tools/demux_parts.hpp"
#include "tools/demux_structure.hpp"
#include "tools/output_folder.hpp"
#include "tools/print.hpp"
#include "tools/reads_job.hpp"

namespace basesweep {
namespace {

// The fields that the read group of a sample has besides ID, SM and BC: those of the only read group of the input.
std::string other_fields(std::string_view groups) {
  std::string_view line = take_to(groups, '\n');
  if (!groups.empty() || line.empty()) return "";
  std::string fields;
  take_to(line, '\t');  // @RG
  while (!line.empty()) {
    const std::string_view field = take_to(line, '\t');
    if (!field.starts_with("ID:") && !field.starts_with("SM:") && !field.starts_with("BC:"))
      fields.append("\t").append(field);
  }
  return fields;
}

class DemuxJob final : public ReadsJob {
 public:
  explicit DemuxJob(DemuxArguments options) : o_(std::move(options)) {}

  const char* command() const override { return "demux"; }
  DemuxArguments& options() override { return o_; }
  const DemuxArguments& options() const override { return o_; }

  void settle(const PartSet* parts) override {
    if (parts == nullptr) return check_demux_options(o_);
    DemuxQuery of_parts = parse_demux(take_query(*parts), *parts, o_.lists.size());
    const std::size_t destinations = query()->files.mates_apart.size();
    const std::size_t samples = of_parts.sheet.samples.size();
    if (destinations != samples && destinations != samples + 1) throw damaged_query(*parts);
    check_demux_merge(o_, *query(), *parts, samples);
    sheet_ = std::move(of_parts.sheet);
    barcodes_ = std::move(of_parts.barcodes);
    read_groups_ = std::move(of_parts.read_groups);
    structures_ = std::move(of_parts.structures);
    parts_ = parts->paths();
    merged_totals_.samples.resize(samples + 1);
    merged_totals_.fits.resize(o_.lists.size());
    format_ = query()->format;
    gzip_ = o_.format ? o_.gzip : of_parts.gzip;
    check_sample_files(sheet_, sample_files());
  }

  void find_queries(const PartSet* parts, Run& run) override {
    if (parts != nullptr) return;
    if (!o_.sheet.empty()) sheet_ = read_sample_sheet(o_.sheet, o_.kit.empty() ? nullptr : &barcode_kit(o_.kit));
    if (!o_.structures.empty() || sheet_.has_structure()) {
      if (o_.structures.empty()) refuse_structure_conflicts(o_, fmt::format("the column structure of {}", sheet_.path));
      if (!o_.rate && !o_.edits && !o_.sheet.empty()) o_.edits = 1;
      structure_.emplace(o_, o_.sheet.empty() ? nullptr : &sheet_, run);
      structures_ = structure_->query();
      if (o_.sheet.empty()) sheet_.samples.emplace_back().name = word_of(NoSample::assigned);
    } else {
      if (!o_.lists.empty()) throw UsageError("--list needs the structure of the reads: --structure");
      find_barcodes();
    }
    for (const std::string& warning : sheet_.warnings) run.warn()(warning);
  }

  void add_files(Outputs& outputs) override {
    const SampleFiles files = sample_files();
    folder_.emplace(o_.output);
    check_folder(o_.output, files, other_files(), o_.force);
    const std::string fields = other_fields(read_groups_);
    for (std::size_t i = 0; i < files.size(); ++i) {
      std::array<ByteSink*, 2> sinks{};
      const std::vector<std::string>& names = files[i];
      for (std::size_t mate = 0; mate < 2; ++mate) {
        sinks[mate] = mate < names.size()
                          ? &outputs.add("--output", folder_->file(names[mate]), {format_, std::nullopt, ""})
                          : sinks[0];
      }
      targets_.files.push_back(sinks);
      if (is_aligned(format_)) sinks[0]->write(header(format_, read_group(i, fields)));
    }
    summary_table_ = &outputs.add("--output", folder_->file("summary.tsv"));
    reasons_table_ = &outputs.add("--output", folder_->file("reasons.tsv"));
    if (!o_.table.empty()) {
      targets_.rows = &outputs.add("--table", o_.table);
      targets_.rows->write(kDemuxTableHeader);
    }
  }

  void write_tables(const Run& /*run*/) override {
    summary_table_->write(summary_table(sheet_, demux_totals()));
    reasons_table_->write(reasons_table(barcodes_, demux_totals()));
  }

  void add_findings(nlohmann::ordered_json& report) const override {
    add_samples(sheet_, barcodes_, demux_totals(), summary(), report);
    if (structures_) add_structures(*structures_, o_.lists, demux_totals().fits, report);
  }

  std::string found() override {
    if (summary().reads == 0) return "no reads";
    const std::uint64_t assigned = demux_totals().assigned();
    const std::string reads = counted(summary().reads, "read");
    if (assigned == 0) {
      return fmt::format("none of {} assigned ({})", reads,
                         structures_ ? "is the structure that of these reads?"
                                     : "barcodes and flanks are written as in the read, 5' to 3'");
    }
    if (!has_samples()) return fmt::format("{} of {} assigned", grouped(assigned), reads);
    return fmt::format("{} of {} assigned to {}", grouped(assigned), reads, counted(sheet_.samples.size(), "sample"));
  }
  std::string totals() const override { return print_totals(summary(), demux_totals()); }
  bool found_nothing() override { return demux_totals().assigned() == 0; }
  void warn_at_end(const Run& run, bool merged) override {
    ReadsJob::warn_at_end(run, merged);
    warn_of_ambiguous(run);
  }

 protected:
  bool asks_for_pairs() const override { return structure_ && structure_->has_mates(); }
  void prepare(Run& run) override {
    format_ = o_.format.value_or(input_format());
    gzip_ = o_.format ? o_.gzip : format_ == OutputFormat::fastq;
    check_format(format_, "--format fastq");
    if (input_format() == OutputFormat::bam) read_groups_ = reads().read_groups();
    check_sample_files(sheet_, sample_files());
    if (structure_) return prepare_structure();
    if (!o_.strand) o_.strand = paired() ? StrandChoice::plus : StrandChoice::both;
    if (*o_.strand == StrandChoice::both) check_other_way(sheet_, search_, barcodes_, paired());
    settle_rate(run);
    if (!o_.edits) o_.rate = search_.patterns.error_rate;
    run.say()(fmt::format("scoring {} with {}, {} threads", counted(caller_.first_barcodes().size(), "barcode"),
                          caller_.first_barcodes().describe(), run.threads()));
    std::vector<std::string> tags;
    if (is_aligned(format_) || input_format() == OutputFormat::bam) {
      for (std::size_t i = 0; i < sheet_.samples.size(); ++i)
        tags.push_back(fmt::format("\tRG:Z:{}\tBC:Z:{}", sheet_.samples[i].name, barcode_tag(i)));
    }
    processor_.emplace(
        caller_.caller(), sample_names(), std::move(tags),
        DemuxOptions{.trim = !o_.no_trim, .orient = o_.orient, .unassigned = o_.unassigned, .rows = !o_.table.empty()});
  }
  void read_first(Run& run) override {
    if (!structure_ || !structure_->counts_first()) return;
    if (is_chunk())
      run.say()("counting the cell barcodes of the whole input, by which those of the chunk are corrected");
    read_through(structure_->counter(), run);
  }
  ReadProcessor& processor() override {
    if (structure_) return structure_->processor();
    return *processor_;
  }
  OutputFormat output_format() const override { return format_; }
  const ReadTargets& targets() const override { return targets_; }
  RunParameters run_parameters() const override {
    RunParameters all = parameters_of(demux_options(), o_);
    all.emplace_back("paired", paired() ? "yes" : "no");
    all.emplace_back("output", output_word());
    return all;
  }
  ReadFiles files() const override {
    std::vector<bool> apart(sheet_.samples.size() + (o_.unassigned ? 1 : 0));
    for (std::size_t i = 0; i < apart.size(); ++i) apart[i] = has_mates_apart(i);
    return {std::move(apart), !o_.table.empty()};
  }
  std::string own_query() const override { return print_demux({sheet_, barcodes_, read_groups_, gzip_, structures_}); }
  std::string reference() const override { return o_.sheet; }
  std::string command_line() const override { return program_of("demux", demux_options(), o_); }
  RunParameters merged_parameters() const override {
    return {{"sheet", parameter_of(o_.sheet)},
            {"list", joined(o_.lists)},
            {"unassigned", o_.unassigned ? "yes" : "no"},
            {"output", output_word()}};
  }
  void take_totals(std::string_view bytes, const std::string& path) override {
    add_totals(bytes, path, barcodes_.first_names.size(), barcodes_.second_names.size(), summary(), merged_totals_);
  }

 private:
  void find_barcodes() {
    const BarcodeKit* const kit = o_.kit.empty() ? nullptr : &barcode_kit(o_.kit);
    if (o_.either_end && !sheet_.has_second())
      throw UsageError(fmt::format("--either-end: {} has no second barcodes", sheet_.path));
    o_.either_end = o_.either_end || sheet_.same_at_ends;
    if (kit != nullptr && !o_.rate && !o_.edits) o_.edits = kit->edits;
    search_ = {{.context = o_.context}, o_.edits, o_.margin, o_.either_end};
    given_limit_ = o_.rate || o_.edits;
    if (o_.rate) search_.patterns.error_rate = *o_.rate;
    barcodes_ = barcodes_of(sheet_, search_);
    settle_window(kit);
  }

  // Where most reads are ambiguous, barcodes are too short for the bases that are searched, or too near to each other.
  void warn_of_ambiguous(const Run& run) const {
    constexpr std::uint64_t kFew = 100;
    const std::uint64_t ambiguous = demux_totals().reasons[static_cast<std::size_t>(NoSample::ambiguous)];
    if (summary().reads < kFew || 2 * ambiguous <= summary().reads) return;
    const std::string advice =
        structures_ ? "the barcodes differ by too little for --margin"
                    : fmt::format(
                          "short barcodes match by chance somewhere in the bases that are searched: search fewer "
                          "of them (--window {}, or --kit illumina-inline where reads begin with the barcode), "
                          "or give the flanks of the barcodes in the sheet",
                          pattern_lengths(barcodes_, o_.context).longest + 1);
    run.warn()(fmt::format("{} of {} are ambiguous: {}", grouped(ambiguous), counted(summary().reads, "read"), advice));
  }

  void prepare_structure() {
    structure_->prepare(sample_names(), paired(),
                        is_aligned(format_)                   ? BarcodeForm::tags
                        : input_format() == OutputFormat::bam ? BarcodeForm::titles
                                                              : BarcodeForm::names);
  }

  // Those of the run, or of all parts.
  const DemuxTotals& demux_totals() const {
    if (structure_) return structure_->totals();
    return processor_ ? processor_->totals() : merged_totals_;
  }

  std::string output_word() const { return std::string(word_of(format_)) + (gzip_ ? ".gz" : ""); }

  // Whether reads have samples; without a sheet they only have cell barcodes.
  bool has_samples() const { return !sheet_.path.empty(); }

  std::vector<std::string> sample_names() const {
    std::vector<std::string> names;
    for (const SheetSample& sample : sheet_.samples) names.push_back(sample.name);
    return names;
  }

  // The barcodes of a sample as SAM has them.
  std::string barcode_tag(std::size_t sample) const {
    if (structures_) return structures_->samples[sample].tag;
    const SheetSample& one = sheet_.samples[sample];
    return one.first.letters + (one.second.letters.empty() || sheet_.same_at_ends ? "" : "-" + one.second.letters);
  }

  // With the bases that will be scored, as far as the first reads tell.
  BarcodeScorerOptions scorer_options(const Run& run) {
    const std::optional<std::int64_t> bases = reads().expected_bases();
    BarcodeScorerOptions options{searcher_options(o_, run, bases)};
    const RawBlock* const block = reads().first_block();
    if (!bases || block == nullptr || block->records.empty()) return options;
    double letters = 0, scored = 0;
    for (const RecordText& record : block->records) {
      const auto length = static_cast<double>(record.sequence_end - record.sequence_begin);
      letters += length;
      scored += o_.anywhere ? length : std::min(length, static_cast<double>(o_.window));
    }
    const int strands = *o_.strand == StrandChoice::both ? 2 : 1;
    if (letters > 0)
      options.expected_text = static_cast<std::int64_t>(static_cast<double>(*bases) * strands * scored / letters);
    return options;
  }

  // Makes the caller. Unless limits are given, lowers the error rate until few reads without a barcode would be
  // assigned by chance. Warns where that is not enough, and where given limits let more of them through.
  void settle_rate(const Run& run) {
    const RandomReads reads = random_reads(paired(), o_.anywhere, o_.window);
    const SampleCallOptions options{
        .margin = o_.margin, .either_end = o_.either_end, .ends = {o_.window, o_.anywhere, *o_.strand}};
    const BarcodeScorerOptions scoring = scorer_options(run);
    const auto scorer = [&scoring](const FlankedBarcodes& patterns) { return make_barcode_scorer(patterns, scoring); };
    const auto make = [&]() -> const BarcodeCaller& { return caller_.make(barcodes_, o_.context, scorer, options); };
    const ChanceCalls calls = given_limit_ ? call_random_reads(make(), reads, barcodes_)
                                           : lower_error_rate(sheet_, search_, barcodes_, reads, make);
    const double rate = search_.patterns.error_rate;
    if (!given_limit_ && rate < BarcodePatternOptions().error_rate)
      run.choose()(
          fmt::format("-e {:.2f}, since with more edits more than 1 % of random reads would have a barcode", rate));
    if (calls.few_assigned()) return;
    run.warn()(fmt::format(
        "about {:.0f} % of reads without a barcode would be assigned to a sample by chance: give the flanks of the "
        "barcodes in the sheet, or {}search fewer bases with --window",
        100 * calls.share(), given_limit_ ? "allow fewer edits, or " : ""));
  }

  // Whether the mates of a sample, or of the reads of none, have a file each.
  bool has_mates_apart(std::size_t sample) const {
    if (query() != nullptr) return query()->files.mates_apart[sample];
    return paired() && !is_aligned(format_) && (!structure_ || structure_->writes_pairs(sample));
  }

  // The names of the files of a sample, or of the reads of none: one, or one of each mate.
  std::vector<std::string> file_names(std::size_t sample) const {
    std::string name = o_.name;
    const std::string_view place = "{sample}";
    name.replace(name.find(place), place.size(),
                 sample < sheet_.samples.size() ? sheet_.samples[sample].name : std::string(kUnassigned));
    const std::string ending = std::string(".") + word_of(format_) + (gzip_ ? ".gz" : "");
    if (!has_mates_apart(sample)) return {name + ending};
    return {name + "_R1" + ending, name + "_R2" + ending};
  }

  // The window of a kit whose barcodes begin at the end of reads. Throws UsageError if a barcode does not fit.
  void settle_window(const BarcodeKit* kit) {
    const PatternLengths lengths = pattern_lengths(barcodes_, o_.context);
    if (!o_.is_given("--window")) o_.window = usual_window(kit, lengths);
    if (!o_.anywhere && o_.window < lengths.needed) {
      throw UsageError(
          fmt::format("--window {}: a barcode with its flanks has {} letters, so that it could not be found there",
                      o_.window, lengths.longest));
    }
  }

  std::string read_group(std::size_t sample, const std::string& fields) const {
    if (sample == sheet_.samples.size() || !has_samples()) return read_groups_;
    const std::string& name = sheet_.samples[sample].name;
    return fmt::format("@RG\tID:{}\tSM:{}\tBC:{}{}\n", name, name, barcode_tag(sample), fields);
  }

  // The files of each sample, then of the reads of none unless they are left out.
  SampleFiles sample_files() const {
    SampleFiles files;
    for (std::size_t i = 0; i < sheet_.samples.size() + (o_.unassigned ? 1 : 0); ++i) files.push_back(file_names(i));
    return files;
  }

  // The files that the run reads and writes besides those of its folder.
  OtherFiles other_files() const {
    OtherFiles others{o_.read_files(), {{"--table", o_.table}, {"--json", o_.json}, {"--html", o_.html}}};
    if (!o_.sheet.empty()) others.read.push_back(o_.sheet);
    for (const std::string& list : o_.lists) others.read.push_back(parse_list(list).path);
    others.read.insert(others.read.end(), parts_.begin(), parts_.end());
    return others;
  }

  DemuxArguments o_;
  SampleSheet sheet_;
  SheetSearch search_;
  bool given_limit_ = false;  // of edits, by options or by the kit
  SheetBarcodes barcodes_;
  std::optional<StructureQuery> structures_;  // of the reads, if they have any,
  std::optional<StructureDemux> structure_;   // and then the work of a run; the next two are not set then
  SheetCaller caller_;
  std::optional<DemuxProcessor> processor_;
  std::vector<std::string> parts_;  // the paths of those that are merged
  DemuxTotals merged_totals_;
  std::string read_groups_;  // of the input
  OutputFormat format_ = OutputFormat::fastq;
  bool gzip_ = false;
  std::optional<OutputFolder> folder_;
  ReadTargets targets_;
  ByteSink* summary_table_ = nullptr;
  ByteSink* reasons_table_ = nullptr;
};

}  // namespace

Work add_demux_command(CLI::App& app) {
  auto options = std::make_shared<DemuxArguments>();
  CLI::App& command = add_command(app, "demux", "Sort reads by the barcodes of samples", kReadCommands, demux_help());
  add_demux_options(command, *options);
  return [options](PartSet* parts) {
    if (options->lists_kits()) return print(list_barcode_kits());
    DemuxJob job(*options);
    return run_job(job, parts);
  };
}

}  // namespace basesweep
