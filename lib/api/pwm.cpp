#include <fmt/format.h>

#include <algorithm>
#include <basesweep/pwm.hpp>
#include <cmath>

#include "lib/api/call.hpp"
#include "lib/api/cell_cache.hpp"
#include "lib/api/result_file.hpp"
#include "lib/base/stream_names.hpp"
#include "lib/base/temporary_folder.hpp"
#include "lib/matrices/matrix_matcher.hpp"
#include "lib/pipeline/batching.hpp"
#include "lib/pipeline/pipeline.hpp"
#include "lib/reader/matrix_file.hpp"
#include "lib/rows/letters.hpp"
#include "lib/rows/matrix_rows.hpp"
#include "lib/rows/row_formats.hpp"
#include "lib/writer/line_formatter.hpp"

namespace basesweep {
namespace {

using FileRates = std::array<double, 4>;  // of A, C, G and T

PerBase by_code(const FileRates& rates) {
  PerBase all{};
  for (std::size_t i = 0; i < kFileOrder.size(); ++i) all[kFileOrder[i]] = rates[i];
  return all;
}

FileRates in_file_order(const PerBase& rates) {
  FileRates all{};
  for (std::size_t i = 0; i < kFileOrder.size(); ++i) all[i] = rates[kFileOrder[i]];
  return all;
}

bool sums_to_1(const FileRates& rates) { return std::abs(rates[0] + rates[1] + rates[2] + rates[3] - 1) <= 0.02; }

std::optional<PerBase> background_of(const std::optional<FileRates>& rates, const std::string& what) {
  if (!rates) return std::nullopt;
  const bool positive = std::all_of(rates->begin(), rates->end(), [](double rate) { return rate > 0; });
  if (!positive || !sums_to_1(*rates)) {
    throw UsageError(what + ": expected four rates above 0 that sum to 1, for A, C, G and T");
  }
  return by_code(*rates);
}

FileMatrix file_matrix(const WeightMatrix& from) {
  const std::string what = fmt::format("matrix '{}'", from.id);
  if (from.columns.empty() || from.columns.size() > kMaxMatrixWidth) {
    throw UsageError(
        fmt::format("{}: expected 1 to {} positions, found {}", what, kMaxMatrixWidth, from.columns.size()));
  }
  FileMatrix matrix;
  matrix.id = from.id;
  matrix.name = from.name;
  matrix.file = "matrices";
  matrix.probabilities = from.probabilities;
  matrix.sites = from.sites;
  matrix.threshold = from.homer_threshold;
  matrix.background = background_of(from.background, what + ": background");
  if (!(from.sites > 0 && std::isfinite(from.sites))) throw UsageError(what + ": sites: expected a number above 0");
  for (const FileRates& column : from.columns) {
    const auto good = [](double number) { return number >= 0 && std::isfinite(number); };
    const double sum = column[0] + column[1] + column[2] + column[3];
    if (!std::all_of(column.begin(), column.end(), good) || sum <= 0) {
      throw UsageError(
          fmt::format("{}: position {}: expected numbers of at least 0, not all 0", what, matrix.columns.size() + 1));
    }
    if (from.probabilities && !sums_to_1(column)) {
      throw UsageError(fmt::format("{}: position {}: expected probabilities that sum to 1, found {}", what,
                                   matrix.columns.size() + 1, sum));
    }
    matrix.columns.push_back(by_code(column));
  }
  return matrix;
}

std::optional<Threshold> threshold_of(const PwmOptions& o) {
  if ((o.p_value ? 1 : 0) + (o.score ? 1 : 0) + (o.relative ? 1 : 0) > 1) {
    throw UsageError("use one of p_value, score and relative");
  }
  constexpr double kMostBits = 1e6;
  if (o.p_value) {
    if (!(*o.p_value > 0 && *o.p_value <= 1)) throw UsageError("p_value: expected a number above 0, at most 1");
    return Threshold{Threshold::Kind::p_value, *o.p_value};
  }
  if (o.score) {
    if (!(std::abs(*o.score) <= kMostBits)) throw UsageError("score: expected a number of bits");
    return Threshold{Threshold::Kind::score, *o.score};
  }
  if (o.relative) {
    if (!(*o.relative >= 0 && *o.relative <= 1)) throw UsageError("relative: expected a number from 0 to 1");
    return Threshold{Threshold::Kind::relative, *o.relative};
  }
  return std::nullopt;
}

MatrixSet matrix_set(const std::vector<WeightMatrix>& given, const PwmOptions& o, int threads) {
  if (given.empty()) throw UsageError("no matrix given");
  if (!(o.pseudocount >= 0 && o.pseudocount <= 1e9)) throw UsageError("pseudocount: expected a number of at least 0");
  if (o.max_hits && *o.max_hits == 0) throw UsageError("max_hits must be at least 1");
  std::vector<FileMatrix> matrices;
  matrices.reserve(given.size());
  for (const WeightMatrix& one : given) matrices.push_back(file_matrix(one));
  MatrixSet::Options options;
  options.scoring = {o.pseudocount, background_of(o.background, "background")};
  options.threshold = threshold_of(o);
  options.strands = strands_of(o.strands);
  options.threads = threads;
  return {matrices, options};
}

// The columns that PwmHit is made of.
std::vector<std::string> hit_columns() {
  return {std::string(kRecordNumber), "record", "start", "end", "matrix", "strand", "score", "p_value", "matched"};
}

// Calls take(hit) for the rows of a batch that has these columns.
void give_hits(const Batch& batch, const std::function<void(const PwmHit&)>& take) {
  const auto records = batch.integers(kRecordNumber), starts = batch.integers("start"), ends = batch.integers("end");
  const auto names = batch.codes("record"), matrices = batch.codes("matrix"), strands = batch.codes("strand");
  const auto scores = batch.reals("score"), p_values = batch.reals("p_value");
  const Texts table = batch.table("record"), matched = batch.texts("matched");
  std::string turned;
  for (std::size_t i = 0; i < batch.rows(); ++i) {
    PwmHit hit{records[i], starts[i], ends[i], static_cast<std::uint32_t>(matrices[i]), '+', scores[i], p_values[i]};
    hit.record_name = table[static_cast<std::size_t>(names[i])];
    hit.text = matched[i];
    if (strands[i] != 0) {
      hit.strand = '-';
      turned.resize(hit.text.size());
      put_matched(turned.data(), hit.text, Strand::minus);
      hit.text = turned;
    }
    take(hit);
  }
}

}  // namespace

struct Pwm::State {
  State(std::vector<WeightMatrix> matrices, PwmOptions o)
      : given(std::move(matrices)),
        options(std::move(o)),
        threads(threads_of(options)),
        set(matrix_set(given, options, threads)),
        block_bytes(std::min<std::size_t>(ReaderOptions().block_bytes, max_batch_positions(set.density()))),
        cells([this](std::vector<std::string> files) { return rows(std::move(files)); }),
        hit_cells(rows({}), hit_columns()),
        matcher(make_matrix_matcher(set, {searcher_options(options, threads)})),
        method(matcher->describe()) {}

  std::shared_ptr<const Rows> rows(std::vector<std::string> files) const {
    return std::make_shared<MatrixRows>(set, std::move(files));
  }

  std::vector<OutputFormat> formats() const { return site_formats(); }
  // `files`: the names of the inputs.
  std::unique_ptr<Formatter> formatter(OutputFormat format, const FileOptions& file,
                                       const std::vector<std::string>& files) const {
    return make_line_formatter(rows(files), format, lines_of(file));
  }

  SearchSummary search(const CallJob& job) const {
    ProgressCounts counts;
    PipelineOptions pipeline;
    pipeline.packer.soft_masked = options.skip_soft_masked;
    pipeline.select.non_overlapping = options.non_overlapping;
    pipeline.select.max_hits = options.max_hits;
    pipeline.threads = job.threads.number;
    pipeline.alone = job.threads.alone;
    pipeline.occurrences = set.density();
    pipeline.warn = [&job](const std::string& text) { job.warnings.add(text); };
    pipeline.progress = &counts;
    const PipelineOutput output{{&job.formatter, &job.sink, std::nullopt, temporary_folder(), job.formatter.names()}};
    RunSummary summary;
    watch(job, counts, [&] { summary = run_pipeline(pipeline, job.source, set.patterns(), *matcher, output); });
    return {summary.hits, summary.truncated, job.warnings.take()};
  }

  const std::vector<WeightMatrix> given;
  const PwmOptions options;
  const int threads;
  const MatrixSet set;
  const std::size_t block_bytes;
  mutable CellCache cells;
  const CellFormatter hit_cells;  // for PwmHit
  const std::unique_ptr<Matcher> matcher;
  const std::string method;
};

Pwm::Pwm(std::vector<WeightMatrix> matrices, PwmOptions options)
    : state_(std::make_unique<State>(std::move(matrices), std::move(options))) {}
Pwm::~Pwm() = default;
Pwm::Pwm(Pwm&&) noexcept = default;
Pwm& Pwm::operator=(Pwm&&) noexcept = default;

std::vector<PwmHit> Pwm::find(std::string_view bases) const {
  std::vector<PwmHit> hits;
  const NamedSequence record{"", bases};
  search({&record, 1}, [&hits](const PwmHit& hit) {
    PwmHit& kept = hits.emplace_back(hit);
    kept.record_name = kept.text = {};
  });
  return hits;
}

SearchSummary Pwm::search(std::span<const NamedSequence> records, const Take& take,
                          const ProgressFunction& progress) const {
  check_taker(take, "hits");
  const TakeBatch give = [&take](const Batch& batch) { give_hits(batch, take); };
  return run_in_memory(*state_, records, wanted(state_->hit_cells, give, progress),
                       [this](const CallJob& job) { return state_->search(job); });
}

SearchSummary Pwm::search(std::span<const NamedSequence> records, const ColumnOptions& columns,
                          const TakeBatch& take) const {
  check_taker(take, "hits");
  const auto cells = state_->cells.get(columns.columns, {"<memory>"});
  return run_in_memory(*state_, records, wanted(*cells, columns, take),
                       [this](const CallJob& job) { return state_->search(job); });
}

SearchSummary Pwm::search_files(const std::vector<std::string>& paths, const Take& take,
                                const ProgressFunction& progress) const {
  check_taker(take, "hits");
  const TakeBatch give = [&take](const Batch& batch) { give_hits(batch, take); };
  return run_on_files(*state_, paths, wanted(state_->hit_cells, give, progress),
                      [this](const CallJob& job) { return state_->search(job); });
}

SearchSummary Pwm::search_files(const std::vector<std::string>& paths, const ColumnOptions& columns,
                                const TakeBatch& take) const {
  check_taker(take, "hits");
  const auto cells = state_->cells.get(columns.columns, input_names(paths));
  return run_on_files(*state_, paths, wanted(*cells, columns, take),
                      [this](const CallJob& job) { return state_->search(job); });
}

SearchSummary Pwm::write(std::span<const NamedSequence> records, const std::string& path,
                         const FileOptions& options) const {
  return write_in_memory(*state_, records, path, options, [this](const CallJob& job) { return state_->search(job); });
}

SearchSummary Pwm::write_files(const std::vector<std::string>& paths, const std::string& path,
                               const FileOptions& options) const {
  return write_of_files(*state_, paths, path, options, [this](const CallJob& job) { return state_->search(job); });
}

std::vector<ColumnInfo> Pwm::columns() const { return state_->cells.infos(); }

const std::vector<WeightMatrix>& Pwm::matrices() const noexcept { return state_->given; }
const std::string& Pwm::method() const noexcept { return state_->method; }

std::optional<double> Pwm::threshold(std::size_t matrix) const {
  const SearchedMatrix& one = state_->set.matrices().at(matrix);
  if (!one.reachable()) return std::nullopt;
  return static_cast<double>(one.threshold) / kScoreSteps;
}

std::vector<WeightMatrix> load_matrices(const std::string& path) {
  std::vector<WeightMatrix> matrices;
  for (FileMatrix& from : read_matrices(path)) {
    WeightMatrix& matrix = matrices.emplace_back();
    matrix.id = std::move(from.id);
    matrix.name = std::move(from.name);
    for (const PerBase& column : from.columns) matrix.columns.push_back(in_file_order(column));
    matrix.probabilities = from.probabilities;
    matrix.sites = from.sites;
    matrix.homer_threshold = from.threshold;
    if (from.background) matrix.background = in_file_order(*from.background);
  }
  return matrices;
}

}  // namespace basesweep
