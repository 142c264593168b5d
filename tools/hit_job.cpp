#include "tools/hit_job.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>
#include <optional>
#include <utility>

#include "lib/base/error.hpp"
#include "lib/base/fields.hpp"
#include "lib/base/stream_names.hpp"
#include "lib/packer/sample_text.hpp"
#include "lib/pipeline/part_hits.hpp"
#include "lib/report/findings.hpp"
#include "lib/report/plots.hpp"
#include "lib/rows/hit_codec.hpp"
#include "tools/print.hpp"

namespace basesweep {
namespace {

// Whether hits are chosen among those of all chunks, so that parts must hold hits, also where only counts are wanted.
bool chooses_hits(const SearchJobOptions& o, Report report) {
  return o.non_overlapping || report == Report::best || report == Report::best_per_record;
}

// A sample of the text, where an automatic choice depends on it. Reads the first block ahead.
std::optional<TextSample> sample_for(const MatcherOptions& matching, const PatternSet& patterns, FileSource& reader) {
  constexpr std::int64_t kMinBases = 1 << 20;  // fewer are searched in less time than the choice would take
  if (matching.algorithm != Algorithm::automatic || matching.device == Device::gpu || patterns.approximate() ||
      matching.expected_bases.value_or(kMinBases) < kMinBases) {
    return std::nullopt;
  }
  const RawBlock* block = reader.first_block();
  return block == nullptr ? std::nullopt : sample_text(*block, patterns.max_length());
}

// Whether the first hits of the parts suffice, of which each has all or, as the chunks were told, the first N.
bool first_suffice(const SearchJobOptions& o, Report report, const PartSet& parts) {
  std::uint64_t most = 0;
  const bool known = parse_number(parameter(parts.head().label, "max_hits"), most);
  return known && !chooses_hits(o, report) && o.max_hits && *o.max_hits <= most;
}

// Throws UsageError where parts cannot give what the options ask for, as far as their labels say.
void check_labels(const SearchJobOptions& o, Report report, const PartSet& parts) {
  const PartLabel& label = parts.head().label;
  if (parameter(label, "rows") != "counts") return;
  if (keeps_hits(o, report)) {
    throw UsageError("the chunks only counted hits (--count), so merge cannot choose among them or list them");
  }
  for (const auto& [option, missing] : {std::pair("--per-file", o.per_file && parameter(label, "per_file").empty()),
                                        {"--by-edits", o.by_edits && parameter(label, "by_edits").empty()}}) {
    if (!missing) continue;
    throw UsageError(
        fmt::format("{}: the chunks only counted hits (--count), and without it: run them with it", option));
  }
}

// Puts a collector before the output.
void put_before(HitCollector* collector, PipelineOutput& to) {
  if (collector == nullptr) return;
  to.sink = collector;
  to.see_record = [collector](std::int64_t reference, const std::string& name, std::uint32_t source) {
    collector->see_record(reference, name, source);
  };
  to.pass = [collector](std::int64_t reference) { collector->pass(reference); };
}

}  // namespace

void HitJob::add_outputs(Outputs& outputs, const std::optional<PartHead>& part) {
  TextJob::add_outputs(outputs, part);
  const auto add = [&outputs](const char* option, const std::vector<std::string>& paths) {
    RecordSinks sinks;
    if (!paths.empty()) sinks.first = &outputs.add(option, paths.front());
    if (paths.size() == 2) sinks.second = &outputs.add(option, paths.back());
    return sinks;
  };
  matching_reads_ = add("--matching-reads", options().matching_reads);
  other_reads_ = add("--other-reads", options().other_reads);
}

RunParameters HitJob::with_columns(RunParameters all) const {
  const ColumnChoice& columns = options().columns;
  if (!columns.name.empty()) all.emplace_back("name_column", columns.name);
  if (!columns.sequence.empty()) all.emplace_back("pattern_column", columns.sequence);
  return all;
}

RunParameters HitJob::label_parameters() const {
  RunParameters all = own_parameters();
  all.emplace_back("rows", keeps_hits(options(), report()) ? "hits" : "counts");
  return all;
}

std::unique_ptr<Formatter> HitJob::make_part_rows() const {
  const std::uint32_t flank = options().flank;
  return std::make_unique<PartRows<PlacedHit>>(needs_of_part(patterns(), flank), flank);
}

bool HitJob::prints_hits() const { return is_part() ? keeps_hits(options(), report()) : !options().count; }

// A chunk leaves all choices among hits to `merge`, apart from the first N where nothing else is chosen.
SelectOptions HitJob::select_options(bool chunk) const {
  const SearchJobOptions& o = options();
  SelectOptions select{.max_hits = max_hits(), .by_source = o.per_file, .by_edits = o.by_edits};
  const bool chooses = chooses_hits(o, report());
  if (chunk && chooses) select.max_hits.reset();
  if (chunk || !chooses) return select;
  select.best = report() == Report::best;
  select.non_overlapping = o.non_overlapping;
  select.best_per_record = report() == Report::best_per_record;
  select.patterns_compete = o.patterns_compete;
  return select;
}

PipelineOutput HitJob::pipeline_output() {
  PipelineOutput to{target(prints_hits())};
  if (to.formatter != nullptr) to.formatter = hit_formatter();
  const bool writes_hits = to.formatter != nullptr && to.formatter == rows();
  if (counts_for_plots() && (writes_hits || (to.sink != nullptr && collects_rows()))) {
    tally_ = std::make_unique<HitTally>(patterns(), matrices(), is_fastq(), longest());
    counting_ = counting_formatter(*rows(), *tally_);
    if (writes_hits) to.formatter = counting_.get();
  }
  to.matching_records = matching_reads_;
  to.other_records = other_reads_;
  if (options().reads_pairs()) to.pairs = options().pairs.value_or(PairChoice::any);
  return to;
}

std::unique_ptr<Matcher> HitJob::make_searcher(const MatcherOptions& options) {
  const std::optional<TextSample> sample = sample_for(options, patterns(), reader());
  MatcherOptions matching = options;
  matching.text = sample ? &*sample : nullptr;
  return make_matcher(patterns(), matching);
}

void HitJob::search(Run& run) {
  const SearchJobOptions& o = options();
  MatcherOptions matching = matcher_options(run);
  const bool counts_suffice = o.count && !o.non_overlapping && !o.per_file && !patterns().approximate() &&
                              !scope().regions && !o.writes_reads() && !o.circular.any();
  if (counts_suffice) matching.output = Output::counts;
  const std::unique_ptr<Matcher> matcher = make_searcher(matching);
  run.say()(fmt::format("matching {} patterns with {}, {} threads", patterns().patterns().size(), matcher->describe(),
                        run.threads()));
  PipelineOptions pipeline;
  set_text_options(run, pipeline);
  pipeline.report = report();
  pipeline.select = select_options(is_part());
  pipeline.occurrences = o.occurrences;
  PipelineOutput to = pipeline_output();
  const std::unique_ptr<HitCollector> collector = to.sink != nullptr ? collect(*to.sink) : nullptr;
  put_before(collector.get(), to);
  found_ = run_pipeline(pipeline, reader(), patterns(), *matcher, to);
  finish(collector.get());
  if (found_.split) {
    const auto words = [&](std::uint64_t number) { return counted(number, found_.split->pairs ? "pair" : "record"); };
    run.say()(fmt::format("--matching-reads: {}, --other-reads: {}", words(found_.split->matching),
                          words(found_.split->others)));
  }
  keep(*matcher);
}

void HitJob::merge(PartSet& parts, const Run& run) {
  check_labels(options(), report(), parts);
  PipelineOutput to = pipeline_output();
  const std::unique_ptr<HitCollector> collector = to.sink != nullptr ? collect(*to.sink) : nullptr;
  put_before(collector.get(), to);
  found_ = run_part_hits({select_options(false), options().circular.any(), run.threads(),
                          [this](const PlacedHit& hit) { return can_be(hit); }},
                         parts, patterns(), to);
  finish(collector.get());
}

void HitJob::finish(HitCollector* collector) {
  if (collector == nullptr) return;
  const auto chosen = collector->finish();
  if (!chosen) return;
  found_.counts = chosen->counts;
  found_.hits = chosen->hits;
  found_.truncated = chosen->truncated;
}

void HitJob::take_summaries(const Summaries& summaries, const PartSet& parts) {
  const CountShape shape{patterns().queries().size(), parts.head().inputs.size(), patterns().max_edits()};
  const std::optional<ChunkSummary> counts = summaries.add_up(shape);
  if (summaries.truncated() && !first_suffice(options(), report(), parts)) {
    throw UsageError(
        "a chunk stopped at its --max-hits, so merge cannot give more: lower --max-hits, or run the chunks without it");
  }
  if (!counts) return;
  found_.counts = *counts->counts;
  found_.fine = counts->fine;
  found_.hits = std::accumulate(found_.counts.begin(), found_.counts.end(), std::uint64_t{0});
}

void HitJob::write_tables(const Run& /*run*/) {
  if (!options().count) return;
  tables_to_->write(
      count_table(patterns(), found_.counts, found_.fine, input_names(options().inputs), second_names(), table_form()));
}

void HitJob::add_findings(nlohmann::ordered_json& report) const {
  add_hits(patterns(), found_, report);
  if (tally_) add_hit_plots(*tally_, patterns(), found_, knows_records(found_), report);
}

ChunkSummary HitJob::chunk_summary() const {
  ChunkSummary summary;
  if (prints_hits() && !makes_table()) return summary;
  summary.counts = found_.counts;
  summary.fine = found_.fine;
  return summary;
}

std::string HitJob::found() { return counted(found_.hits, "hit"); }

std::string HitJob::found_more() {
  const std::vector<std::uint64_t> hits = counts_by_pattern(patterns(), found_.counts);
  const auto without = static_cast<std::uint64_t>(std::count(hits.begin(), hits.end(), 0));
  return print_without(without, hits.size(), matrices() != nullptr ? "matrix" : "pattern", "hit");
}

void HitJob::warn_at_end(const Run& run, bool /*merged*/) {
  if (!found_.truncated) return;
  run.warn()(fmt::format("stopped after {} hits (--max-hits); there are more", found_.hits));
}

bool keeps_hits(const SearchJobOptions& o, Report report) { return !o.count || chooses_hits(o, report); }

HitRowOptions row_options(const SearchJobOptions& o) {
  return {.flank = o.flank, .files = input_names(o.inputs), .pairs = o.has_pairs()};
}

}  // namespace basesweep
