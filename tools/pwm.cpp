// basesweep pwm: finds the sites of weight matrices; writes BED, TSV, GFF3 or tables.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <set>
#include <utility>

#include "lib/base/error.hpp"
#include "lib/base/fields.hpp"
#include "lib/base/nearest.hpp"
#include "lib/base/stream_names.hpp"
#include "lib/pipeline/base_rates.hpp"
#include "lib/pipeline/matrix_hits.hpp"
#include "lib/pipeline/matrix_tables.hpp"
#include "lib/reader/matrix_file.hpp"
#include "lib/reader/md5.hpp"
#include "lib/report/findings.hpp"
#include "lib/report/plots.hpp"
#include "lib/rows/hit_codec.hpp"
#include "lib/rows/matrix_rows.hpp"
#include "lib/rows/matrix_table.hpp"
#include "lib/rows/row_formats.hpp"
#include "lib/writer/line_formatter.hpp"
#include "tools/commands.hpp"
#include "tools/file_kind.hpp"
#include "tools/hit_job.hpp"
#include "tools/print.hpp"
#include "tools/pwm_options.hpp"
#include "tools/pwm_parts.hpp"

namespace basesweep {
namespace {

constexpr std::array kTable{OutputFormat::tsv};

// The names that --names asks for. One with commas in it, as some of HOMER have, is taken whole. Throws UsageError for
// a name that none of the matrices has.
std::set<std::string> wanted_names(const std::vector<std::string>& given, const std::vector<FileMatrix>& all) {
  std::vector<std::string> known;
  for (const FileMatrix& matrix : all) known.push_back(matrix.id);
  for (const FileMatrix& matrix : all) {
    if (!matrix.name.empty()) known.push_back(matrix.name);
  }
  const std::set<std::string, std::less<>> sorted(known.begin(), known.end());
  std::set<std::string> wanted;
  for (const std::string& names : given) {
    if (sorted.count(names) != 0) {
      wanted.insert(names);
      continue;
    }
    for (std::string_view rest = names; !rest.empty();) {
      const std::string_view name = take_to(rest, ',');
      if (name.empty()) continue;
      if (sorted.count(name) == 0) {
        throw UsageError(
            fmt::format("--names {}: no matrix has this identifier or name{}", name, did_you_mean(name, known)));
      }
      wanted.emplace(name);
    }
  }
  return wanted;
}

std::vector<FileMatrix> matrices_of(const std::string& path, std::optional<MatrixFormat> format) {
  try {
    return read_matrices(path, format);
  } catch (const DataError&) {
    refuse_patterns(path);
    throw;
  }
}

// The matrices of all files that --names leaves.
std::vector<FileMatrix> read_files(const PwmJobOptions& o, const Run& run) {
  std::vector<FileMatrix> all;
  for (const std::string& path : o.search.pattern_files) {
    std::vector<FileMatrix> own = matrices_of(path, o.matrix_format);
    const auto probabilities = static_cast<std::size_t>(
        std::count_if(own.begin(), own.end(), [](const FileMatrix& matrix) { return matrix.probabilities; }));
    run.say()(fmt::format("{}: {} matrices in the format {}, {} with counts, {} with probabilities", path, own.size(),
                          to_string(own.front().format), own.size() - probabilities, probabilities));
    std::move(own.begin(), own.end(), std::back_inserter(all));
  }
  const std::set<std::string> wanted = wanted_names(o.names, all);
  if (!wanted.empty()) {
    const std::size_t before = all.size();
    std::erase_if(all, [&wanted](const FileMatrix& matrix) {
      return wanted.count(matrix.id) == 0 && wanted.count(matrix.name) == 0;
    });
    run.say()(fmt::format("--names leaves {} of {} matrices", all.size(), before));
  }
  return all;
}

PerBase given_rates(const std::string& text) {
  PerBase rates{};
  std::string_view rest = text;
  for (const unsigned code : kFileOrder) {
    if (!parse_number(take_to(rest, ','), rates[code]) || !(rates[code] > 0 && rates[code] <= 1)) {
      throw UsageError(fmt::format("--background {}: expected four rates above 0, for A, C, G and T", text));
    }
  }
  const double sum = rates[0] + rates[1] + rates[2] + rates[3];
  if (!rest.empty() || sum < 0.98 || sum > 1.02) {
    throw UsageError(fmt::format("--background {}: expected four rates that sum to 1, for A, C, G and T", text));
  }
  return rates;
}

PerBase rates_of_input(const PwmJobOptions& o, const Run& run) {
  ReaderOptions options;
  options.paths = o.search.inputs;
  options.threads = run.threads();
  options.alignments = o.search.alignments.reading;
  Reader reader(std::move(options));
  const PerBase counts = count_bases(reader, run.threads());
  for (const unsigned code : kFileOrder) {
    if (counts[code] + counts[code ^ 2U] > 0) continue;
    throw DataError(fmt::format("--background input: the input has neither {}: give rates instead",
                                code == kFileOrder[0] ? "A nor T" : "C nor G"));
  }
  return counts;
}

std::optional<PerBase> background(const PwmJobOptions& o, const Run& run) {
  if (o.background.empty()) return std::nullopt;
  if (o.background == "uniform") return kUniform;
  if (o.background == "input") return rates_of_input(o, run);
  if (o.background.find(',') != std::string::npos) return given_rates(o.background);
  return read_background(o.background);
}

MatrixSource read_source(const PwmJobOptions& o, const Run& run) { return {read_files(o, run), background(o, run)}; }

MatrixSet make_matrices(const PwmJobOptions& o, const MatrixSource& source, const Run& run) {
  MatrixSet::Options options;
  options.scoring = {o.pseudocount, source.background};
  options.threshold = o.threshold;
  options.strands = o.search.strand;
  options.threads = run.threads();
  return {source.files, options};
}

// Names a few of them, with -v all; the JSON report has them too.
void warn_of_unreachable(const MatrixSet& matrices, bool verbose, const Run& run) {
  std::vector<std::string> ids;
  for (const SearchedMatrix& one : matrices.matrices()) {
    if (!one.reachable()) ids.push_back(one.matrix.id);
  }
  if (ids.empty()) return;
  constexpr std::size_t kNamed = 5;
  const std::size_t count = ids.size();
  std::string more;
  if (!verbose && ids.size() > kNamed) {
    more = fmt::format(" and {} more (-v names them)", ids.size() - kNamed);
    ids.resize(kNamed);
  }
  run.warn()(fmt::format("no word reaches the threshold of {} of {} matrices: {}{}", count, matrices.matrices().size(),
                         fmt::join(ids, ", "), more));
}

std::string thresholds_table(const MatrixSet& matrices) {
  std::string table = "matrix\tname\twidth\tmin_score\tmax_score\twanted_p_value\tscore\tp_value\n";
  for (const SearchedMatrix& one : matrices.matrices()) {
    const ScoreMatrix& matrix = one.matrix;
    const std::string begin = fmt::format("{}\t{}\t{}\t{}\t{}\t", matrix.id, matrix.name.empty() ? "." : matrix.name,
                                          matrix.width(), print_bits(matrix.min_score), print_bits(matrix.max_score));
    const auto add = [&](const std::string& wanted, bool reachable, std::int64_t score, double p) {
      table += fmt::format("{}{}\t{}\t{}\n", begin, wanted, reachable ? print_bits(score) : ".",
                           reachable ? print_p_value(p) : ".");
    };
    add(".", one.reachable(), one.threshold, one.share());
    constexpr std::array kWanted{1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8};
    for (const double wanted : kWanted) {
      const ScoreTail tail = tail_within(matrix, wanted);
      const bool reachable = tail.max_deficit() >= 0;
      add(print_p_value(wanted), reachable, matrix.max_score - tail.max_deficit(),
          reachable ? tail.at(tail.max_deficit()) : 0);
    }
  }
  return table;
}

void print_thresholds(const PwmJobOptions& o, const Run& run) {
  format_of_name(o.search.output, kTable);
  const MatrixSet matrices = make_matrices(o, read_source(o, run), run);
  OutputFile output(o.search.output, run.compression(), OutputCompression::by_name, o.search.compression);
  output.write(thresholds_table(matrices));
  output.commit();
}

// The digest of the matrices, for the label of parts.
std::string digest_of(const MatrixSet& matrices) {
  Md5 md5;
  for (const SearchedMatrix& one : matrices.matrices()) {
    md5.add(fmt::format("{}\t{}\t{}", one.matrix.id, one.matrix.name, one.threshold));
    for (const auto& column : one.matrix.scores) md5.add(fmt::format("\t{}", fmt::join(column, ",")));
    md5.add("\n");
  }
  return md5.take();
}

OutputFormat choose_output(const PwmJobOptions& o) {
  if (!o.table) return output_format(o.search, site_formats()).value_or(OutputFormat::bed);
  return table_format(o.search, "--table");
}

// The regions of --per-region, whose names appear in the table.
std::vector<NamedRegion> regions_of_rows(const std::string& path) {
  std::vector<NamedRegion> regions = read_bed(path);
  check_names(regions, path);
  return regions;
}

// Whether a hit is one of its matrix.
bool reaches_threshold(const MatrixSet& matrices, const PlacedHit& hit) {
  return hit.letters.find_first_not_of("ACGT") == std::string_view::npos &&
         matrices.score_of(hit.hit.query, hit.letters) >= matrices.of_query(hit.hit.query).threshold;
}

// Throws UsageError if the parts have other rows than the options ask for.
void check_parts(const PartSet& parts, const PwmJobOptions& o) {
  const PartLabel& label = parts.head().label;
  const bool table = !parameter(label, "table").empty();
  const bool best = parameter(label, "report") == "best-per-record";
  if (table != o.table.has_value()) {
    throw UsageError("--table: the chunks wrote hits, not tables: run them with --table");
  }
  if (best != o.best_per_record && best) throw UsageError("the chunks kept the best hits of each record only");
}

class PwmJob final : public HitJob {
 public:
  explicit PwmJob(PwmJobOptions options) : o_(std::move(options)) {}

  const char* command() const override { return "pwm"; }
  SearchJobOptions& options() override { return o_.search; }
  const SearchJobOptions& options() const override { return o_.search; }

  int show_columns() override {
    if (o_.search.count) return basesweep::show_columns(*count_rows(counted_by()), o_.search.shown);
    return basesweep::show_columns(MatrixRows(MatrixSet(std::vector<FileMatrix>(), {})), o_.search.shown);
  }

  void settle(const PartSet* parts) override {
    basesweep::settle(o_, parts != nullptr);
    if (o_.thresholds) return;
    if (parts != nullptr) check_parts(*parts, o_);
    chosen_ = choose_output(o_);
    if (o_.search.count) check_count_table(counted_by(), table_form());
  }

  bool answer_without_text(Run& run) override {
    if (o_.thresholds) print_thresholds(o_, run);
    return o_.thresholds;
  }

  void find_queries(const PartSet* parts, Run& run) override {
    source_ = parts != nullptr ? matrices_of(*parts) : read_source(o_, run);
    matrices_.emplace(make_matrices(o_, source_, run));
    o_.search.occurrences = matrices_->density();
  }

  void merge(PartSet& parts, const Run& run) override {
    if (!o_.table) return HitJob::merge(parts, run);
    const MergedTable table =
        merge_tables(parts, matrices_->matrices().size(), *o_.table, o_.per_region, *formatter(), *rows_to_);
    merged_rows_ = table.rows;
    found_.hits = table.has_hits ? 1 : 0;
    found_.counts.resize(patterns().queries().size());
  }

  void add_findings(nlohmann::ordered_json& report) const override {
    add_matrix_hits(*matrices_, found_, report);
    if (tally_) add_matrix_plots(*tally_, *matrices_, found_, knows_records(found_), report);
  }
  std::string found() override {
    return merged_rows_ != 0 && found_.hits != 0 ? counted(merged_rows_, "row") : HitJob::found();
  }
  void warn_at_end(const Run& run, bool merged) override {
    HitJob::warn_at_end(run, merged);
    if (!merged) warn_of_unreachable(*matrices_, o_.search.verbose, run);
  }

 protected:
  const PatternSet& patterns() const override { return matrices_->patterns(); }
  const MatrixSet* matrices() const override { return &*matrices_; }
  OutputFormat choose_format() override { return chosen_; }
  CountedBy counted_by() const override {
    return {.named = true, .by_file = o_.search.per_file, .files = input_names(o_.search.inputs)};
  }
  std::vector<std::string> second_names() const override {
    std::vector<std::string> names;
    for (const SearchedMatrix& one : matrices_->matrices()) names.push_back(one.matrix.name);
    return names;
  }
  RunParameters own_parameters() const override {
    RunParameters all = parameters_of(pwm_options(), o_);
    all.emplace_back("output", word_of(format()));
    return all;
  }
  RunParameters label_parameters() const override {
    RunParameters all = HitJob::label_parameters();
    std::erase_if(all, [](const auto& one) { return one.first == "background"; });  // which the digest knows better
    all.emplace_back("matrices", digest_of(*matrices_));
    return all;
  }
  std::unique_ptr<Formatter> make_formatter() override {
    const LineOptions lines{shown_columns(o_.search), {}};
    if (o_.table) {
      return make_line_formatter(std::make_shared<MatrixTableRows>(*matrices_, *o_.table, o_.per_region), format(),
                                 lines);
    }
    return make_line_formatter(std::make_shared<MatrixRows>(*matrices_, input_names(o_.search.inputs)), format(),
                               lines);
  }
  std::unique_ptr<Formatter> make_part_rows() const override {
    if (o_.table) return std::make_unique<PartRows<MatrixTableRow>>(0);
    return std::make_unique<PartRows<PlacedHit>>(need::letters);
  }
  std::string print_queries() const override { return print_query(source_); }

  std::unique_ptr<Matcher> make_searcher(const MatcherOptions& given) override {
    MatrixMatcherOptions matching{given};
    matching.algorithm = o_.algorithm;
    matching.output = given.output;
    return make_matrix_matcher(*matrices_, matching);
  }
  // Best hits and tables are made of encoded hits.
  const Formatter* hit_formatter() const override {
    if (!o_.table && !o_.best_per_record) return rows();
    if (!encoder_) encoder_ = make_matrix_encoder(*matrices_, *rows());
    return encoder_.get();
  }
  std::unique_ptr<HitCollector> collect(ByteSink& to) override {
    // The best of a chunk may not be those of the whole, so --max-hits counts what merge chooses.
    if (o_.best_per_record)
      return collect_best(*matrices_, counted_rows(), to, is_part() ? std::nullopt : o_.search.max_hits);
    if (o_.per_region) {
      return collect_region_table(*matrices_, *o_.table, regions_of_rows(o_.search.regions.regions_file), *rows(), to);
    }
    return o_.table ? collect_table(*matrices_, *o_.table, input_names(reader().paths()), *rows(), to) : nullptr;
  }
  bool collects_rows() const override { return o_.best_per_record; }
  bool makes_table() const override { return o_.table.has_value(); }
  // With best hits, the limit is for those that collect() chooses.
  std::optional<std::uint64_t> max_hits() const override {
    return o_.best_per_record ? std::nullopt : o_.search.max_hits;
  }
  bool can_be(const PlacedHit& hit) const override { return reaches_threshold(*matrices_, hit); }

 private:
  PwmJobOptions o_;
  OutputFormat chosen_ = OutputFormat::bed;
  MatrixSource source_;
  std::optional<MatrixSet> matrices_;
  mutable std::unique_ptr<Formatter> encoder_;
  std::uint64_t merged_rows_ = 0;
};

}  // namespace

Work add_pwm_command(CLI::App& app) {
  auto options = std::make_shared<PwmJobOptions>();
  CLI::App& command = add_command(app, "pwm", "Find the sites of weight matrices; write BED, TSV, GFF3 or tables",
                                  kSearchCommands, pwm_help());
  add_pwm_options(command, *options);
  return [options](PartSet* parts) {
    PwmJob job(*options);
    return run_job(job, parts);
  };
}

}  // namespace basesweep
