#include "tools/trim_primers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <utility>

#include "lib/base/error.hpp"
#include "lib/pipeline/clip_pipeline.hpp"
#include "lib/reader/alignment_records.hpp"
#include "lib/report/trim_findings.hpp"
#include "lib/writer/sam_header.hpp"
#include "tools/help.hpp"
#include "tools/job.hpp"
#include "tools/print.hpp"
#include "tools/trim_options.hpp"

namespace basesweep {
namespace {

constexpr std::array kAlignedFormats{OutputFormat::sam, OutputFormat::bam};
constexpr std::uint32_t kFirstOverlap = 12;

class ClipJob final : public Job {
 public:
  explicit ClipJob(TrimArguments options) : o_(std::move(options)) {}

  const char* command() const override { return "trim"; }
  TrimArguments& options() override { return o_; }
  const TrimArguments& options() const override { return o_; }
  int show_columns() override { return 0; }

  void settle(const PartSet* /*parts*/) override {
    check_trim_options(o_);
    check_clipping();
  }
  void find_queries(const PartSet* /*parts*/, Run& /*run*/) override {
    scheme_ = read_primer_scheme(o_.primers.scheme);
  }

  void open_text(const PartSet* /*parts*/, Run& run) override {
    file_ = open_alignment_records(o_.inputs.front(), run.threads(), o_.alignments.reading);
    const std::vector<RecordInfo>& references = file_->header().references;
    found_.sources = {{file_->path(), file_->compression(), Format::fastq, AlignmentInfo{file_->format()}}};
    if (references.empty()) {
      throw DataError(
          fmt::format("{}: its header has no records of a reference (@SQ), so its reads are not aligned: "
                      "--drop-alignment cuts primers by their sequences",
                      file_->path()));
    }
    run.say_compression(found_.sources);
    clipper_.emplace(scheme_, references, o_.primers.tolerance);
    const bool sam = file_->format() == AlignmentFormat::sam;
    format_ = choose_format(o_, kAlignedFormats).value_or(sam ? OutputFormat::sam : OutputFormat::bam);
  }

  RunParameters parameters() const override {
    RunParameters all = parameters_of(primer_options(), o_.primers);
    all.emplace_back("output", word_of(format_));
    return all;
  }
  std::optional<PartHead> part() const override { return std::nullopt; }

  void add_outputs(Outputs& outputs, const std::optional<PartHead>& /*part*/) override {
    sink_ = &outputs.add("--output", o_.output, {format_, std::nullopt, ""});
    const std::string text = changed_header_text(file_->header().text, program_of("trim", trim_options(), o_));
    if (format_ == OutputFormat::sam) lines_.emplace(text);
    sink_->write(lines_ ? text : bam_header(text, file_->header().references));
  }

  void search(Run& run) override {
    ClipRunOptions running;
    running.threads = run.threads();
    running.lines = lines_ ? &*lines_ : nullptr;
    running.progress = &run.start_progress(*this);
    counts_ = clip_primers(running, *file_, *clipper_, *sink_);
  }
  void merge(PartSet& /*parts*/, const Run& /*run*/) override {
    throw UsageError("runs of this command have no parts to merge");
  }

  TextSummary& summary() override { return found_; }
  void add_findings(nlohmann::ordered_json& report) const override { add_clipping(scheme_, counts_, found_, report); }
  std::size_t inputs_read() override { return 1; }
  std::uint64_t bases_read() override { return counts_.bases; }
  std::string found() override {
    if (counts_.alignments == 0) return "no alignments";
    return fmt::format("{} of {} clipped", grouped(counts_.clipped), counted(counts_.alignments, "alignment"));
  }
  bool found_nothing() override { return counts_.clipped == 0; }

  void warn_at_end(const Run& run, bool /*merged*/) override {
    if (counts_.unknown_mates == 0 || counts_.clipped == 0) return;
    run.warn()(fmt::format(
        "{} without the CIGAR of their mates (MC): what they say of their mates (PNEXT, TLEN) is that of the input; "
        "'samtools fixmate' after 'samtools collate' corrects it",
        counted(counts_.unknown_mates, "alignment")));
  }

  // For the display of progress.
  std::optional<std::int64_t> stored_bytes() const { return std::nullopt; }
  std::int64_t stored_bytes_read() const { return 0; }

 private:
  // Options that change reads have no meaning here.
  void check_clipping() const {
    constexpr const char* kReason =
        "is for reads, but primers are clipped from alignments; --drop-alignment takes their reads";
    if (o_.format && !is_aligned(*o_.format))
      throw UsageError(fmt::format("--format {} {}", word_of(*o_.format), kReason));
    if (o_.inputs.size() > 1) throw UsageError("primers are clipped from the alignments of one file at a time");
    for (const OptionRow<TrimArguments>& row : trim_options()) {
      const std::string words = row.words ? row.words(o_) : std::string();
      const std::string option = words.substr(0, words.find(' ', 1));
      const bool of_primers = option == " --primers" || option == " --reference" || option == " --primer-tolerance";
      if (!words.empty() && !of_primers) throw UsageError(fmt::format("{} {}", option.substr(1), kReason));
    }
    for (const auto& [option, path] : {std::pair("--paired-output", &o_.second_output),
                                       {"--untrimmed-output", &o_.untrimmed[0]},
                                       {"--too-short-output", &o_.too_short[0]},
                                       {"--too-long-output", &o_.too_long[0]},
                                       {"--table", &o_.table}}) {
      if (!path->empty()) throw UsageError(fmt::format("{} {}", option, kReason));
    }
  }

  TrimArguments o_;
  PrimerScheme scheme_;
  std::shared_ptr<AlignmentRecords> file_;
  std::optional<PrimerClipper> clipper_;
  OutputFormat format_ = OutputFormat::bam;
  std::optional<AlignmentLines> lines_;
  ByteSink* sink_ = nullptr;
  ClipCounts counts_;
  TextSummary found_;
};

}  // namespace

OptionTable<PrimerArguments> primer_options() {
  return TableMaker<PrimerArguments>()
      .begin(group::kPatterns)
      .text("--primers", "FILE", &PrimerArguments::scheme,
            "Cut the primers of an amplicon scheme: BED with 6 columns, or 7 with sequences, as ARTIC has it. Of "
            "aligned SAM, BAM and CRAM they are clipped by their places")
      .reported_if_given("primers")
      .in_program()
      .text("--reference", "FILE", &PrimerArguments::reference,
            "FASTA with the sequence of the scheme's places, for primers without sequence")
      .reported_if_given("reference")
      .in_program()
      .number("--primer-tolerance", &PrimerArguments::tolerance, {.max = 1000},
              "A primer may begin N bases after the start of a read, or an alignment N bases before the primer "
              "(default: 5)")
      .reported_if_given("primer_tolerance")
      .in_program()
      .take();
}

std::vector<std::string> files_of(const PrimerArguments& options) {
  std::vector<std::string> files;
  for (const std::string& file : {options.scheme, options.reference}) {
    if (!file.empty()) files.push_back(file);
  }
  return files;
}

void check_primer_options(const TrimArguments& o) {
  if (o.primers.scheme.empty()) {
    for (const char* const option : {"--reference", "--primer-tolerance"}) {
      if (o.is_given(option)) throw UsageError(fmt::format("{} needs --primers", option));
    }
    return;
  }
  if (o.is_chunk()) throw UsageError("--primers and --chunk conflict: parts have no counts of primers");
  if (o.revcomp) throw UsageError("--primers finds primers in both orientations of reads: leave --revcomp out");
  if (o.action != AdapterAction::trim && o.action != AdapterAction::mask && o.action != AdapterAction::none)
    throw UsageError("--primers cuts or masks: use --action trim, mask or none");
}

PrimerFinder find_primers(const TrimArguments& o) {
  PrimerScheme scheme = read_primer_scheme(o.primers.scheme);
  const auto lacks = std::find_if(scheme.primers.begin(), scheme.primers.end(),
                                  [](const SchemePrimer& primer) { return primer.sequence.empty(); });
  if (lacks != scheme.primers.end()) {
    if (o.primers.reference.empty()) {
      throw UsageError(
          fmt::format("{}: primer '{}' (line {}) has no sequence in column 7: give the reference of the "
                      "scheme with --reference FILE",
                      scheme.path, lacks->name, lacks->line));
    }
    add_sequences(o.primers.reference, scheme);
  }
  return PrimerFinder(scheme, {.max_errors = o.errors,
                               .indels = !o.no_indels,
                               .first_overlap = o.is_given("--overlap") ? o.overlap : kFirstOverlap,
                               .last_overlap = o.overlap,
                               .tolerance = o.primers.tolerance});
}

bool clips_alignments(const TrimArguments& o) {
  if (o.primers.scheme.empty() || o.drop_alignment || !o.first_mates.empty() || o.interleaved) return false;
  const std::string input = o.inputs.empty() ? "-" : o.inputs.front();
  if (!alignment_format_of(input)) return false;
  if (!is_regular_file(input)) return true;
  return !open_alignment_records(input, 1, o.alignments.reading)->header().references.empty();
}

int run_clipping(const TrimArguments& options, PartSet* parts) {
  ClipJob job(options);
  return run_job(job, parts);
}

}  // namespace basesweep
