#include "lib/report/report.hpp"

#include <fmt/format.h>

#include <map>
#include <nlohmann/json.hpp>

namespace basesweep {
namespace {

// The counts of each pattern on each strand that was searched, + first. The queries of a pattern with several sequences
// are added up.
std::vector<std::map<Strand, std::uint64_t>> counts_by_pattern(const PatternSet& patterns,
                                                               const std::vector<std::uint64_t>& counts) {
  std::vector<std::map<Strand, std::uint64_t>> sums(patterns.patterns().size());
  for (std::size_t e = 0; e < patterns.queries().size(); ++e) {
    const Query& query = patterns.queries()[e];
    sums[query.pattern][query.strand] += counts[e];
  }
  return sums;
}

// A pattern's own limits, as far as it has any.
void add_limits(const Pattern& pattern, nlohmann::ordered_json& row) {
  if (pattern.edits) row["edits"] = *pattern.edits;
  if (pattern.clamp_5prime) row["clamp_5prime"] = *pattern.clamp_5prime;
  if (pattern.clamp_3prime) row["clamp_3prime"] = *pattern.clamp_3prime;
}

const char* to_string(Compression compression) {
  switch (compression) {
    case Compression::none: return "none";
    case Compression::gzip: return "gzip";
    case Compression::bgzf: return "bgzf";
  }
  return "";
}

using Json = nlohmann::ordered_json;

// The part that all reports begin with.
Json report_of(const RunReport& run) {
  Json report;
  report["schema"] = "basesweep-report/1";
  report["version"] = BASESWEEP_VERSION;
  report["command"] = run.command;
  if (run.part) report["part"] = print_part(*run.part);
  Json parameters = Json::object();
  for (const auto& [key, value] : run.parameters) {
    parameters[key] = std::visit(
        [](const auto& held) {
          if constexpr (std::is_same_v<std::decay_t<decltype(held)>, std::monostate>) {
            return Json(nullptr);
          } else {
            return Json(held);
          }
        },
        value);
  }
  report["parameters"] = std::move(parameters);
  return report;
}

Json input_of(const SourceInfo& source) {
  Json input;
  input["path"] = source.path;
  input["format"] = !source.format ? Json(nullptr) : Json(*source.format == Format::fasta ? "fasta" : "fastq");
  input["compression"] = to_string(source.compression);
  return input;
}

// Adds the part that all reports end with, and prints the report.
std::string finish(Json report, const RunReport& run) {
  report["machine"] = {{"matcher", run.matcher}, {"threads", run.threads}};
  report["timings"] = {{"seconds", run.seconds}};
  // Names need not be UTF-8; JSON must be.
  return report.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace

std::string count_table(const PatternSet& patterns, const std::vector<std::uint64_t>& counts) {
  std::string table = "pattern\tstrand\tcount\n";
  const auto sums = counts_by_pattern(patterns, counts);
  for (std::size_t p = 0; p < sums.size(); ++p) {
    for (const auto& [strand, count] : sums[p]) {
      table += fmt::format("{}\t{}\t{}\n", patterns.patterns()[p].name, strand_letter(strand), count);
    }
  }
  return table;
}

std::string json_report(const RunReport& run, const PatternSet& patterns, const RunSummary& summary) {
  Json report = report_of(run);
  Json inputs = Json::array();
  for (std::size_t i = 0; i < summary.sources.size(); ++i) {
    Json input = input_of(summary.sources[i]);
    input["records"] = summary.source_counts[i].records;
    input["bases"] = summary.source_counts[i].bases;
    input["not_acgt"] = summary.source_counts[i].not_acgt;
    inputs.push_back(std::move(input));
  }
  report["inputs"] = std::move(inputs);

  Json rows = Json::array();
  const auto sums = counts_by_pattern(patterns, summary.counts);
  for (std::size_t p = 0; p < sums.size(); ++p) {
    Json row;
    row["name"] = patterns.patterns()[p].name;
    row["sequence"] = patterns.patterns()[p].sequence;
    row["palindromic"] = patterns.palindromic(p);
    if (patterns.approximate()) add_limits(patterns.patterns()[p], row);
    Json counts = Json::object();
    for (const auto& [strand, count] : sums[p]) counts[std::string(1, strand_letter(strand))] = count;
    row["counts"] = std::move(counts);
    rows.push_back(std::move(row));
  }
  report["patterns"] = std::move(rows);
  report["hits"] = summary.hits;
  report["truncated_by_max_hits"] = summary.truncated;
  return finish(std::move(report), run);
}

std::string json_report(const RunReport& run, const Reference& reference, const std::vector<SourceInfo>& sources,
                        const MapSummary& summary) {
  Json report = report_of(run);
  Json target = input_of(reference.source);
  std::int64_t bases = 0;
  for (const RecordInfo& record : reference.records) bases += record.length;
  target["records"] = reference.records.size();
  target["bases"] = bases;
  report["reference"] = std::move(target);
  Json inputs = Json::array();
  for (const SourceInfo& source : sources) inputs.push_back(input_of(source));
  report["inputs"] = std::move(inputs);
  report["reads"] = {{"total", summary.reads},       {"bases", summary.bases},
                     {"mapped", summary.mapped},     {"unmapped", summary.reads - summary.mapped},
                     {"too_long", summary.too_long}, {"too_short", summary.too_short},
                     {"no_bases", summary.no_bases}, {"with_unprinted_hits", summary.unprinted_reads}};
  report["hits"] = summary.hits;
  report["unprinted_hits"] = summary.unprinted_hits;
  return finish(std::move(report), run);
}

}  // namespace basesweep
