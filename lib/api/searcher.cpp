#include <basesweep/basesweep.hpp>

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <mutex>

#include "lib/api/call.hpp"
#include "lib/api/cell_cache.hpp"
#include "lib/api/compiled_options.hpp"
#include "lib/api/edit_fields.hpp"
#include "lib/api/result_file.hpp"
#include "lib/api/search_hits.hpp"
#include "lib/base/letter_case.hpp"
#include "lib/base/stream_names.hpp"
#include "lib/base/temporary_folder.hpp"
#include "lib/pipeline/batching.hpp"
#include "lib/pipeline/pipeline.hpp"
#include "lib/reader/pattern_file.hpp"
#include "lib/reader/reader.hpp"
#include "lib/rows/hit_rows.hpp"
#include "lib/rows/row_formats.hpp"
#include "lib/writer/line_formatter.hpp"
#include "lib/writer/sam_formatter.hpp"

namespace basesweep {
namespace {

PatternSet pattern_set(const std::vector<NamedPattern>& given, const SearchOptions& o) {
  if (given.empty()) throw UsageError("no pattern given");
  std::vector<Pattern> patterns;
  patterns.reserve(given.size());
  for (const NamedPattern& pattern : given) {
    patterns.push_back(
        {pattern.name, upper_case(pattern.bases), "", pattern.edits, pattern.clamp_5prime, pattern.clamp_3prime});
  }
  const bool own_limits =
      std::any_of(patterns.begin(), patterns.end(), [](const Pattern& pattern) { return pattern.has_limits(); });
  const StrandChoice strands = strands_of(o.strands);
  const PalindromeChoice palindromes = o.both_strands_of_palindromes ? PalindromeChoice::both : PalindromeChoice::once;
  if (o.edits && o.error_rate) throw UsageError("use edits or error_rate, not both");
  if (o.error_rate && !(*o.error_rate >= 0 && *o.error_rate < 1)) {
    throw UsageError("error_rate must be at least 0 and less than 1");
  }
  if (o.edits || o.error_rate || own_limits) {
    return {std::move(patterns), strands, palindromes, edits_of(o)};
  }
  bool limited = o.report != SearchOptions::Report::sites;
  for_each_limit(o, [&limited](const char*, const auto& value, auto member) {
    limited = limited || value != EditOptions().*member;
  });
  if (limited) {
    throw UsageError("max_mismatches, max_indels, bulges, clamps, overhang and report need edits or error_rate");
  }
  return {std::move(patterns), strands, palindromes};
}

Report report_of(SearchOptions::Report report) {
  switch (report) {
    case SearchOptions::Report::sites: return Report::sites;
    case SearchOptions::Report::minima: return Report::minima;
    case SearchOptions::Report::best: return Report::best;
    case SearchOptions::Report::all: return Report::all;
    case SearchOptions::Report::best_per_record: return Report::best_per_record;
  }
  throw UsageError("report: expected sites, minima, best, all or best_per_record");
}

// The options of a matcher that may find its tables in a compiled set; `set` may be null.
MatcherOptions with_tables(MatcherOptions options, const std::shared_ptr<const CompiledSet>& set) {
  if (set != nullptr) options.tables = &set->tables;
  return options;
}

SearchOptions checked(SearchOptions o) {
  if (o.best_of_record && report_of(o.report) != Report::best_per_record) {
    throw UsageError("best_of_record needs report best_per_record");
  }
  report_of(o.report);
  if (o.overhang_5prime == 0U || o.overhang_3prime == 0U) throw UsageError("overhang: at least 1 base must lie inside");
  if (o.max_hits && *o.max_hits == 0) throw UsageError("max_hits must be at least 1");
  if (o.flank > kMaxFlank) throw UsageError(fmt::format("flank must be at most {}", kMaxFlank));
  if (o.circular || !o.circular_records.empty()) {
    if (o.flank != 0) throw UsageError("flank and circular conflict");
    if (o.overhang_5prime || o.overhang_3prime) throw UsageError("overhang and circular conflict");
    if (o.report == SearchOptions::Report::best_per_record) throw UsageError("best_per_record and circular conflict");
  }
  return o;
}

// The counts, sorted, with those of one pattern and strand added up: a pattern may have several sequences.
std::vector<HitCount> added_up(const std::vector<HitCount>& counts) {
  std::vector<HitCount> sums;
  for (const HitCount& count : counts) {
    if (sums.empty() || sums.back().pattern != count.pattern || sums.back().strand != count.strand) {
      sums.push_back(count);
    } else {
      sums.back().hits += count.hits;
    }
  }
  return sums;
}

}  // namespace

struct Searcher::State {
  // `compiled`: where the patterns come from; null: from the caller.
  State(std::vector<NamedPattern> patterns, SearchOptions o, std::shared_ptr<const CompiledSet> compiled = nullptr)
      : source(std::move(compiled)),
        given(std::move(patterns)),
        options(checked(std::move(o))),
        set(pattern_set(given, options)),
        threads(threads_of(options)),
        block_bytes(std::min<std::size_t>(ReaderOptions().block_bytes, max_batch_positions(set))),
        cells([this](std::vector<std::string> files) { return rows(std::move(files)); }),
        hit_cells(rows({}), hit_columns(options, set.approximate())),
        matching(with_tables(matcher_options(options, set.approximate(), threads), source)),
        matcher(make_matcher(set, matching)),
        method(matcher->describe()) {}

  // The matcher for counting: one that lists no occurrences, unless hits must be selected or resolved before they
  // count.
  Matcher& counting_matcher() {
    if (set.approximate() || options.non_overlapping || circular_of(options).any()) return *matcher;
    const std::lock_guard lock(mutex);
    if (counter == nullptr) {
      MatcherOptions counts = matching;
      counts.output = Output::counts;
      counter = make_matcher(set, counts);
    }
    return *counter;
  }

  HitRowOptions row_options(std::vector<std::string> files) const {
    return {.flank = options.flank,
            .files = std::move(files),
            .standing = report_of(options.report) == Report::best_per_record};
  }

  std::shared_ptr<const Rows> rows(std::vector<std::string> files) const {
    HitRowOptions about = row_options(std::move(files));
    about.edits_of_exact = true;
    return std::make_shared<HitRows>(set, std::move(about));
  }

  std::vector<OutputFormat> formats() const { return hit_formats(set.approximate()); }
  // `files`: the names of the inputs.
  std::unique_ptr<Formatter> formatter(OutputFormat format, const FileOptions& file,
                                       const std::vector<std::string>& files) const {
    if (is_aligned(format)) return make_sam(make_hit_sam(set, false), format, files, circular_of(options));
    HitRowOptions about = row_options(files);
    about.edits_of_exact = !file.columns.empty();  // the usual columns are those of `motif`
    return make_hit_formatter(set, format, std::move(about), lines_of(file, circular_of(options)));
  }

  RunSummary run(BlockSource& source, Matcher& by, const PipelineOutput& output, CallThreads threads,
                 Warnings& warnings, ProgressCounts& counts) const {
    PipelineOptions pipeline;
    pipeline.packer.soft_masked = options.skip_soft_masked;
    pipeline.report = report_of(options.report);
    pipeline.select = {options.report == SearchOptions::Report::best, options.non_overlapping,
                       output.formatter == nullptr ? std::nullopt : options.max_hits,
                       options.report == SearchOptions::Report::best_per_record, options.best_of_record};
    pipeline.circular = circular_of(options);
    pipeline.threads = threads.number;
    pipeline.alone = threads.alone;
    pipeline.warn = [&warnings](const std::string& text) { warnings.add(text); };
    pipeline.progress = &counts;
    return run_pipeline(pipeline, source, set, by, output);
  }

  SearchSummary search(const CallJob& job) const {
    const PipelineOutput output{{&job.formatter, &job.sink, std::nullopt, temporary_folder(), job.formatter.names()}};
    ProgressCounts counts;
    RunSummary summary;
    watch(job, counts, [&] { summary = run(job.source, *matcher, output, job.threads, job.warnings, counts); });
    return {summary.hits, summary.truncated, job.warnings.take()};
  }

  std::vector<HitCount> count(BlockSource& source, const CallOptions& call, CallThreads threads) {
    PipelineOutput output;
    output.spool_directory = temporary_folder();
    Warnings warnings;
    ProgressCounts progress;
    RunSummary summary;
    watch(call, progress, [&] { summary = run(source, counting_matcher(), output, threads, warnings, progress); });
    std::vector<HitCount> counts;
    for (std::size_t e = 0; e < set.queries().size(); ++e) {
      const Query& query = set.queries()[e];
      counts.push_back({query.pattern, strand_letter(query.strand), summary.counts[e]});
    }
    std::stable_sort(counts.begin(), counts.end(), [](const HitCount& a, const HitCount& b) {
      return std::pair(a.pattern, a.strand) < std::pair(b.pattern, b.strand);  // '+' is before '-'
    });
    return added_up(counts);
  }

  const std::shared_ptr<const CompiledSet> source;
  const std::vector<NamedPattern> given;
  const SearchOptions options;
  const PatternSet set;
  const int threads;
  const std::size_t block_bytes;
  mutable CellCache cells;
  const CellFormatter hit_cells;  // for SearchHit
  const MatcherOptions matching;
  const std::unique_ptr<Matcher> matcher;
  const std::string method;
  std::mutex mutex;
  std::unique_ptr<Matcher> counter;  // made when it is first needed
};

Searcher::Searcher(std::vector<NamedPattern> patterns, SearchOptions options)
    : state_(std::make_unique<State>(std::move(patterns), std::move(options))) {}
Searcher::Searcher(std::unique_ptr<State> state) : state_(std::move(state)) {}

Searcher Searcher::load(const std::string& path, SearchOptions options) {
  const bool readable = access(path.c_str(), R_OK) == 0;  // else reading says why not
  if (readable && !is_compiled_set(path))
    throw DataError(path + ": not a compiled set: expected a file that 'basesweep compile' wrote");
  auto set = std::make_shared<const CompiledSet>(read_compiled_set(path, threads_of(options)));
  options = with_options_of(*set, std::move(options));
  std::vector<NamedPattern> patterns = patterns_of(*set);
  return Searcher(std::make_unique<State>(std::move(patterns), std::move(options), std::move(set)));
}

Searcher::~Searcher() = default;
Searcher::Searcher(Searcher&&) noexcept = default;
Searcher& Searcher::operator=(Searcher&&) noexcept = default;

std::vector<SearchHit> Searcher::find(std::string_view bases) const {
  std::vector<SearchHit> hits;
  const NamedSequence record{"", bases};
  search({&record, 1}, [&hits](const SearchHit& hit) {
    SearchHit& kept = hits.emplace_back(hit);
    kept.record_name = kept.text = kept.cigar = {};
    kept.aligned_pattern = kept.aligned_text = kept.upstream = kept.downstream = {};
  });
  return hits;
}

SearchSummary Searcher::search(std::span<const NamedSequence> records, const Take& take,
                               const ProgressFunction& progress) const {
  check_taker(take, "hits");
  const TakeBatch give = [&take](const Batch& batch) { give_hits(batch, take); };
  return run_in_memory(*state_, records, wanted(state_->hit_cells, give, progress),
                       [this](const CallJob& job) { return state_->search(job); });
}

SearchSummary Searcher::search(std::span<const NamedSequence> records, const ColumnOptions& columns,
                               const TakeBatch& take) const {
  check_taker(take, "hits");
  const auto cells = state_->cells.get(columns.columns, {"<memory>"});
  return run_in_memory(*state_, records, wanted(*cells, columns, take),
                       [this](const CallJob& job) { return state_->search(job); });
}

SearchSummary Searcher::search_files(const std::vector<std::string>& paths, const Take& take,
                                     const ProgressFunction& progress) const {
  check_taker(take, "hits");
  const TakeBatch give = [&take](const Batch& batch) { give_hits(batch, take); };
  return run_on_files(*state_, paths, wanted(state_->hit_cells, give, progress),
                      [this](const CallJob& job) { return state_->search(job); });
}

SearchSummary Searcher::search_files(const std::vector<std::string>& paths, const ColumnOptions& columns,
                                     const TakeBatch& take) const {
  check_taker(take, "hits");
  const auto cells = state_->cells.get(columns.columns, input_names(paths));
  return run_on_files(*state_, paths, wanted(*cells, columns, take),
                      [this](const CallJob& job) { return state_->search(job); });
}

SearchSummary Searcher::write(std::span<const NamedSequence> records, const std::string& path,
                              const FileOptions& options) const {
  return write_in_memory(*state_, records, path, options, [this](const CallJob& job) { return state_->search(job); });
}

SearchSummary Searcher::write_files(const std::vector<std::string>& paths, const std::string& path,
                                    const FileOptions& options) const {
  return write_of_files(*state_, paths, path, options, [this](const CallJob& job) { return state_->search(job); });
}

std::vector<HitCount> Searcher::count(std::span<const NamedSequence> records, const ProgressFunction& progress) const {
  MemorySource source(records, state_->block_bytes);
  return state_->count(source, call_options(progress), threads_for(records, state_->threads));
}

std::vector<HitCount> Searcher::count_files(const std::vector<std::string>& paths,
                                            const ProgressFunction& progress) const {
  Warnings warnings;
  Reader reader = open_files(paths, state_->block_bytes, state_->threads, warnings);
  return state_->count(reader, call_options(progress, reader), {state_->threads});
}

std::vector<ColumnInfo> Searcher::columns() const { return state_->cells.infos(); }

const std::vector<NamedPattern>& Searcher::patterns() const noexcept { return state_->given; }
const std::string& Searcher::method() const noexcept { return state_->method; }

std::vector<NamedPattern> load_patterns(const std::string& path, const PatternFileOptions& options) {
  std::vector<NamedPattern> patterns;
  LeftOut left_out;
  for (Pattern& pattern :
       read_patterns(path, {options.name_column, options.pattern_column}, nullptr, RepeatedNames::refused, &left_out)) {
    patterns.push_back({std::move(pattern.name), std::move(pattern.sequence), pattern.edits, pattern.clamp_5prime,
                        pattern.clamp_3prime});
  }
  if (left_out.any() && options.warn) options.warn(left_out.sentence());
  return patterns;
}

const char* version() noexcept { return BASESWEEP_VERSION; }

}  // namespace basesweep
