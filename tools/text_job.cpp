#include "tools/text_job.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

#include "lib/base/error.hpp"
#include "lib/base/stream_names.hpp"
#include "lib/pipeline/batching.hpp"
#include "lib/reader/md5.hpp"
#include "lib/writer/byte_sink.hpp"
#include "tools/compiled_options.hpp"
#include "tools/pair_search.hpp"
#include "tools/reads_files.hpp"

namespace basesweep {
namespace {

// The pattern's own limits, for the digest of the patterns; "" if it has none.
std::string limits_of(const Pattern& pattern) {
  const auto field = [](const std::optional<std::uint32_t>& limit) {
    return limit ? fmt::format("\t{}", *limit) : std::string("\t");
  };
  if (!pattern.has_limits()) return "";
  return field(pattern.edits) + field(pattern.clamp_5prime) + field(pattern.clamp_3prime);
}

std::string digest_of(const PatternSet& patterns) {
  Md5 md5;
  for (const Pattern& pattern : patterns.patterns()) {
    md5.add(
        fmt::format("{}\t{}{}\n", pattern.name, pattern.sequence, patterns.approximate() ? limits_of(pattern) : ""));
  }
  return md5.take();
}

// The parameters in the label of a part, which tell the parts of one run from others.
RunParameters of_label(const std::string& command, const RunParameters& parameters, const PatternSet& patterns) {
  constexpr std::array<std::string_view, 5> kOfFormat{"output", "sequence", "with_file", "edit_columns", "aligned"};
  RunParameters all = {{"command", command}};
  std::copy_if(parameters.begin(), parameters.end(), std::back_inserter(all), [&](const auto& one) {
    return std::find(kOfFormat.begin(), kOfFormat.end(), one.first) == kOfFormat.end();  // merge chooses these
  });
  all.emplace_back("patterns", digest_of(patterns));
  return all;
}

Scope scope_of(const PartSet& parts) {
  Scope scope;
  scope.records = parts.head().records;
  scope.circular_known = true;
  scope.indexed = parts.head().indexed;
  return scope;
}

// Leaves the records in the scope that the header of this format lists, as far as they are known beforehand: for GFF3
// those of the inputs' indices only, so that chunks and a whole run list the same.
void choose_header_records(const SearchJobOptions& o, OutputFormat format, Scope& scope) {
  if (o.reads_pairs()) return scope.records.reset();  // mates share their names
  const bool alignments = is_aligned(format);
  const bool listed = alignments || (format == OutputFormat::gff3 && o.circular.any());
  if (scope.indexed) {  // of parts, which know the records
    if (!listed && !(format == OutputFormat::gff3 && *scope.indexed)) scope.records.reset();
    return;
  }
  if (listed && scope.records) return;
  scope.records.reset();
  if (!alignments && format != OutputFormat::gff3) return;
  // An index at a URL is only asked for where it saves reading the text.
  if (std::any_of(o.inputs.begin(), o.inputs.end(), is_url)) return;
  if (const auto indices = find_indices(o.inputs, o.regions)) scope.records = records_of(*indices);
}

// Opens the first input, and checks that it is what the options are for.
void open_first(const SearchJobOptions& o, const Scope& scope, const Run& run, FileSource& reader) {
  reader.open_first();
  if (o.regions.any()) refuse_regions(reader.sources());
  if (!o.reads_pairs()) check_unit(scope, reader);
  check_reads_files(o, reader);
  run.say_compression(reader.sources());
}

// The kind of index that --write-index makes. Throws UsageError if the output cannot be indexed.
HitFile indexed_file(const SearchJobOptions& o, OutputFormat format) {
  const auto gz = [&o] { return ends_in_gz(o.output); };
  if (!o.count && o.output != "-") {
    if (format == OutputFormat::bam) return HitFile::bam;
    if (format == OutputFormat::bed && gz()) return HitFile::bed;
    if (format == OutputFormat::tsv && gz() && !o.shown.any()) return HitFile::tsv;
    if (format == OutputFormat::gff3 && gz()) return HitFile::gff3;
    if (format == OutputFormat::sam && gz()) return HitFile::sam;
  }
  throw UsageError(
      "--write-index needs a file of hits that is BAM, or BED, TSV with its usual columns, GFF3 or SAM with a name "
      "that ends in .gz");
}

// The set of patterns that a part holds.
CompiledSet set_of(const PartSet& parts) { return parse_compiled_set(parts.paths().front(), parts.head().query); }

}  // namespace

void TextJob::open_text(const PartSet* parts, Run& run) {
  if (parts != nullptr) options().parts_of_pairs = !parameter(parts->head().label, "pairs").empty();
  const SearchJobOptions& o = options();
  in_regions_ = parts != nullptr ? !parameter(parts->head().label, "regions").empty() : o.regions.any();
  scope_ = parts != nullptr ? scope_of(*parts) : find_scope(o, patterns(), report());
  parts_are_fastq_ = !scope_.records;
  if (parts == nullptr) {
    reader_ = open_reader(o, patterns(), scope_);
    open_first(o, scope_, run, *reader_);
  }
  records_known_ = scope_.records && scope_.indexed.value_or(true);  // parts know them without indices too
  if (counts_for_plots() && scope_.records && (records_known_ || !in_regions_)) {
    longest_.emplace();
    longest_->add_all(*scope_.records);
  }
  format_ = choose_format();
  choose_header_records(o, format_, scope_);
  formatter_ = make_formatter();
  if (formatter_ != nullptr && formatter_->needs_records() && is_fastq()) {
    throw UsageError(o.circular.any()
                         ? "GFF3 lists every circular record in its header, so with --circular it is only for hits on "
                           "FASTA; this is FASTQ: choose --format tsv or bed"
                         : std::string(kNeedsFasta));
  }
  if (is_part() && formatter_ != nullptr) part_rows_ = make_part_rows();
}

std::optional<PartHead> TextJob::part() const {
  if (!is_part()) return std::nullopt;
  const SearchJobOptions& o = options();
  RunParameters parameters = label_parameters();
  if (o.regions.any() || !scope_.chunk->plan.covers_all()) parameters.emplace_back("regions", "yes");
  PartHead head{.label = scope_.chunk->label(of_label(command(), parameters, patterns())),
                .words = o.words(),
                .inputs = o.inputs,
                .query = print_queries()};
  head.records = part_records(scope_.chunk);
  head.indexed = head.records && scope_.has_indices && std::none_of(o.inputs.begin(), o.inputs.end(), is_url);
  return head;
}

OutputForm TextJob::form_of_output() const {
  const SearchJobOptions& o = options();
  if (!o.write_index) return {.format = format_};
  return {.format = format_, .index = indexed_file(o, format_)};
}

void TextJob::add_outputs(Outputs& outputs, const std::optional<PartHead>& part) {
  if (part) {
    if (options().write_index) throw UsageError("--write-index and --chunk conflict: give it to 'basesweep merge'");
    rows_to_ = &outputs.add_part(options().output, *part).rows();
  } else {
    rows_to_ = tables_to_ = &outputs.add("--output", options().output, form_of_output());
  }
}

void TextJob::set_text_options(Run& run, TextOptions& to) {
  const SearchJobOptions& o = options();
  to.packer.soft_masked = o.skip_soft_masked;
  to.packer.count_soft_masked = o.reports() || is_part();  // parts have reports too
  to.threads = run.threads();
  to.batch_positions = o.batch_positions;
  to.expected_bases = scope_.bases ? scope_.bases : reader_->expected_bases();
  to.first_record = first_record(o, scope_);
  to.regions = scope_.regions ? &*scope_.regions : nullptr;
  to.circular = o.circular;
  to.circular_known = scope_.circular_known;
  if (longest() != nullptr && longest_->count() == 0) {
    to.record_ended = [this](std::int64_t reference, std::string_view name, std::int64_t length) {
      longest_->add(reference, name, length);
    };
  }
  to.warn = run.warn();
  to.progress = &run.start_progress(*reader_);
}

const LongestRecords* TextJob::longest() {
  if (!longest_ && counts_for_plots() && !in_regions_ && !is_fastq()) longest_.emplace();
  return longest_ ? &*longest_ : nullptr;
}

RowTarget TextJob::target(bool written) const {
  RowTarget to;
  to.spool_directory = spool_directory(options().output);
  if (!written || formatter_ == nullptr) return to;
  to.formatter = rows();
  to.sink = rows_to_;
  if (!is_part()) to.records = scope_.records;
  to.names = formatter_->names();
  return to;
}

SearcherOptions TextJob::searcher_options(const Run& run) const {
  return basesweep::searcher_options(options(), run, scope_.bases ? scope_.bases : reader_->expected_bases());
}

MatcherOptions TextJob::matcher_options(const Run& run) const {
  MatcherOptions matching{searcher_options(run)};
  matching.algorithm = options().algorithm;
  matching.table_bytes = options().table_bytes;
  matching.tables = compiled_ ? &compiled_->tables : nullptr;
  return matching;
}

TableForm TextJob::table_form() const { return {table_format(options(), "--count"), options().shown}; }

void TextJob::find_compiled_set(const PartSet* parts, SetKind kind) {
  compiled_ = parts != nullptr ? set_of(*parts) : open_compiled_set(options(), kind);
}

std::unique_ptr<FileSource> open_reader(const SearchJobOptions& o, const PatternSet& patterns, const Scope& scope) {
  ReaderOptions options;
  options.block_bytes = std::min<std::size_t>(
      options.block_bytes, max_batch_positions(o.occurrences.value_or(expected_occurrences(patterns))));
  options.paths = o.inputs;
  options.threads = worker_threads(o);
  options.warn = warner(o);
  options.windows = scope.windows;
  options.records = scope.reads;
  options.alignments = o.alignments.reading;
  if (o.reads_pairs()) return open_pairs(o, std::move(options));
  return std::make_unique<Reader>(std::move(options));
}

std::string print_set(CompiledSet set) {
  class Bytes final : public ByteSink {
   public:
    void write(std::string_view more) override { all += more; }
    std::string all;
  };
  Bytes bytes;
  set.tables = {};
  write_compiled_set(bytes, set, 1);
  return std::move(bytes.all);
}

}  // namespace basesweep
