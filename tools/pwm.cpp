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
#include "lib/reader/matrix_file.hpp"
#include "lib/reader/md5.hpp"
#include "lib/rows/hit_codec.hpp"
#include "lib/rows/matrix_rows.hpp"
#include "lib/rows/matrix_table.hpp"
#include "lib/writer/line_formatter.hpp"
#include "tools/commands.hpp"
#include "tools/file_kind.hpp"
#include "tools/part_output.hpp"
#include "tools/pwm_options.hpp"
#include "tools/pwm_parts.hpp"
#include "tools/search_run.hpp"

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

int print_thresholds(const PwmJobOptions& o, const Run& run) {
  format_of_name(o.search.output, kTable);
  const MatrixSet matrices = make_matrices(o, read_source(o, run), run);
  OutputFile output(o.search.output, run.compression());
  output.write(thresholds_table(matrices));
  output.commit();
  return 0;
}

// What the matrices are, for the label of parts.
std::string digest_of(const MatrixSet& matrices) {
  Md5 md5;
  for (const SearchedMatrix& one : matrices.matrices()) {
    md5.add(fmt::format("{}\t{}\t{}", one.matrix.id, one.matrix.name, one.threshold));
    for (const auto& column : one.matrix.scores) md5.add(fmt::format("\t{}", fmt::join(column, ",")));
    md5.add("\n");
  }
  return md5.take();
}

RunParameters parameters(const PwmJobOptions& o, const std::string& output) {
  const auto given = [](const std::string& text) { return text.empty() ? ParameterValue() : ParameterValue(text); };
  RunParameters all = {{"strand", word_of(o.search.strand)},
                       {"soft_masked", o.search.skip_soft_masked ? "skip" : "use"},
                       {"overlapping", o.search.non_overlapping ? "no" : "yes"},
                       {"report", o.best_per_record ? "best-per-record" : "all"},
                       {"p_value", given(o.p_value)},
                       {"score", given(o.score)},
                       {"relative", given(o.relative)},
                       {"background", given(o.background)},
                       {"pseudocount", o.pseudocount},
                       {"output", output}};
  if (o.table) all.emplace_back("table", *o.table == TableCell::score ? "score" : "count");
  if (o.per_region) all.emplace_back("per_region", "yes");
  all.emplace_back("max_hits", o.search.max_hits ? ParameterValue(*o.search.max_hits) : ParameterValue());
  return all;
}

OutputFormat choose_output(const PwmJobOptions& o) {
  if (!o.table) return output_format(o.search, pwm_formats()).value_or(OutputFormat::bed);
  return table_format(o.search, "--table");
}

// The regions of --per-region, whose names stand in the table.
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

int run_pwm(PwmJobOptions o, PartSet* parts) {
  Run run("pwm", o.search);
  take_inputs(parts, o.search);
  const CountedBy counted{.named = true, .by_file = o.search.per_file, .files = input_names(o.search.inputs)};
  if (asks_for_columns(o.search.shown)) {
    if (o.search.count) return show_columns(*count_rows(counted), o.search.shown);
    return show_columns(MatrixRows(MatrixSet(std::vector<FileMatrix>(), {})), o.search.shown);
  }
  settle(o, parts != nullptr);
  if (o.thresholds) return print_thresholds(o, run);
  if (parts != nullptr) check_parts(*parts, o);
  const OutputFormat format = choose_output(o);
  if (o.search.count) check_count_table(counted, table_form(o.search));
  if (parts == nullptr) prepare(o.search.alignments);
  const MatrixSource source = parts != nullptr ? matrices_of(*parts) : read_source(o, run);
  const MatrixSet matrices = make_matrices(o, source, run);
  o.search.occurrences = matrices.density();
  const PatternSet& patterns = matrices.patterns();
  Scope scope = parts != nullptr ? scope_of(*parts) : find_scope(o.search, patterns, Report::sites);
  const RunParameters all = parameters(o, word_of(format));
  RunParameters of_part = all;
  std::erase_if(of_part, [](const auto& one) { return one.first == "background"; });  // which the digest knows better
  of_part.emplace_back("matrices", digest_of(matrices));
  const std::optional<PartLabel> label =
      part_label(run.command(), patterns, scope, part_parameters(of_part, o.search, Report::sites));
  choose_header_records(o.search, format, scope);
  const LineOptions lines{shown_columns(o.search), {}};
  const std::unique_ptr<Formatter> formatter =
      o.table
          ? make_line_formatter(std::make_shared<MatrixTableRows>(matrices, *o.table, o.per_region), format, lines)
          : make_line_formatter(std::make_shared<MatrixRows>(matrices, input_names(o.search.inputs)), format, lines);
  const PartRows<PlacedHit> part_hits(need::letters);
  const PartRows<MatrixTableRow> part_table(0);
  const bool is_part = label.has_value();
  const Formatter& part_rows = o.table ? static_cast<const Formatter&>(part_table) : part_hits;
  const Formatter& rows = is_part ? part_rows : *formatter;
  const bool collects = o.table || o.best_per_record;
  std::unique_ptr<Formatter> encoder;
  if (collects) encoder = make_matrix_encoder(matrices, rows);
  std::unique_ptr<Reader> reader;
  if (parts == nullptr) reader.reset(new Reader(open_reader(o.search, patterns, scope)));
  Search search{.patterns = patterns,
                .formatter = collects ? *encoder : rows,
                .format = format,
                .report = Report::sites,
                .scope = std::move(scope),
                .parameters = all};
  if (label) search.part = part_head(o.search, *label, search.scope, print_query(source));
  for (const SearchedMatrix& one : matrices.matrices()) search.names.push_back(one.matrix.name);
  search.make_matcher = [&](const MatcherOptions& given) {
    return make_matrix_matcher(matrices, {.algorithm = o.algorithm,
                                          .device = given.device,
                                          .gpus = given.gpus,
                                          .output = given.output,
                                          .expected_bases = given.expected_bases,
                                          .threads = given.threads,
                                          .log = given.log});
  };
  search.print_report = [&](const RunReport& report, const RunSummary& summary) {
    return json_report(report, matrices, summary);
  };
  search.can_be = [&matrices](const PlacedHit& hit) { return reaches_threshold(matrices, hit); };
  // The best of a chunk may not be those of the whole, so --max-hits counts what merge chooses.
  const std::optional<std::uint64_t> max_hits = is_part ? std::nullopt : o.search.max_hits;
  if (o.best_per_record) {
    o.search.max_hits.reset();
    search.collect = [&](ByteSink& to) { return collect_best(matrices, rows, to, max_hits); };
  } else if (o.per_region) {
    search.collect = [&](ByteSink& to) {
      return collect_region_table(matrices, *o.table, regions_of_rows(o.search.regions.regions_file), rows, to);
    };
  } else if (o.table) {
    search.collect = [&](ByteSink& to) {
      return collect_table(matrices, *o.table, input_names(reader->paths()), rows, to);
    };
  }
  if (o.table) {
    search.merge_table = [&](PartSet& all_parts, ByteSink& to) {
      return merge_tables(all_parts, matrices.matrices().size(), *o.table, o.per_region, *formatter, to);
    };
  }
  const int status = run_search(o.search, search, run, reader.get(), parts);
  if (parts == nullptr) warn_of_unreachable(matrices, o.search.verbose, run);
  return status;
}

}  // namespace

Work add_pwm_command(CLI::App& app) {
  auto options = std::make_shared<PwmJobOptions>();
  CLI::App& command = add_command(app, "pwm", "Find the sites of weight matrices; write BED, TSV, GFF3 or tables",
                                  kSearchCommands, pwm_help());
  add_pwm_options(command, *options);
  return [options](PartSet* parts) { return run_pwm(*options, parts); };
}

}  // namespace basesweep
