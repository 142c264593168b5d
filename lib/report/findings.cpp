#include "lib/report/findings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numeric>
#include <utility>

#include "lib/report/count_table.hpp"
#include "lib/report/plots.hpp"

namespace basesweep {
namespace {

// An object or array is made with Json::object() or Json::array() before anything is put into it, see report.cpp.
using Json = nlohmann::ordered_json;

// A pattern's own limits; null: it has none.
void add_limits(const Pattern& pattern, Json& row) {
  const auto add = [&row](const char* key, const std::optional<std::uint32_t>& limit) {
    row[key] = limit ? Json(*limit) : Json();
  };
  add("edits", pattern.edits);
  add("clamp_5prime", pattern.clamp_5prime);
  add("clamp_3prime", pattern.clamp_3prime);
}

const char* word_of(Format format) {
  switch (format) {
    case Format::fasta: return "fasta";
    case Format::fastq: return "fastq";
    case Format::twobit: return "2bit";
  }
  return "";
}

const char* word_of(AlignmentFormat format) {
  switch (format) {
    case AlignmentFormat::sam: return "sam";
    case AlignmentFormat::bam: return "bam";
    case AlignmentFormat::cram: return "cram";
  }
  return "";
}

Json input_of(const SourceInfo& source) {
  Json input = Json::object();
  input["path"] = source.path;
  input["format"] = source.alignments ? Json(word_of(source.alignments->format))
                    : source.format   ? Json(word_of(*source.format))
                                      : Json(nullptr);
  input["compression"] = compression_name(source.compression);
  return input;
}

std::uint64_t hits_in(const FineCounts& fine, std::size_t source) {
  if (source >= fine.counts.size()) return 0;
  return std::accumulate(fine.counts[source].begin(), fine.counts[source].end(), std::uint64_t{0});
}

// The queries' hits with 0, 1, 2 ... edits in all files.
Json counts_by_edits(const FineCounts& fine, const std::vector<std::size_t>& queries) {
  Json counts = Json::array();
  for (std::uint32_t e = 0; e < fine.width; ++e) {
    std::uint64_t sum = 0;
    for (std::size_t source = 0; source < fine.counts.size(); ++source) sum += hits_with(fine, source, queries, e);
    counts.push_back(sum);
  }
  return counts;
}

// `by_strand`: the queries of a pattern or matrix, one element of queries_by_strand().
template <class Strands>
Json counts_by_strand(const std::vector<std::uint64_t>& all, const Strands& by_strand) {
  Json counts = Json::object();
  for (const auto& [strand, queries] : by_strand) counts[std::string(1, strand_letter(strand))] = sum_of(all, queries);
  return counts;
}

constexpr const char* kStrandWords[] = {"plus", "minus"};

bool is_searched(StrandChoice strands, std::size_t strand) {
  return strands != (strand == 0 ? StrandChoice::minus : StrandChoice::plus);
}

Json starts_of(const InputStarts& input, StrandChoice strands) {
  Json starts = Json::object();
  for (const std::size_t strand : {0, 1}) {
    if (!is_searched(strands, strand)) continue;
    const StartWindow window = input.windows[strand];
    Json row = Json::object();
    row["first"] = window.first;
    row["last"] = window.last == StartWindow::kEnd ? Json(nullptr) : Json(window.last);
    if (input.found) row["first_reads_with_guide"] = input.found->matching[strand];
    starts[kStrandWords[strand]] = std::move(row);
  }
  if (input.found) starts["first_reads"] = input.found->reads;
  return starts;
}

Histogram histogram_of(const std::vector<std::uint64_t>& values) {
  Histogram histogram;
  for (const std::uint64_t value : values) histogram.add(value);
  return histogram;
}

// The share of all reads that the 0, 1, 2 ... 100 % of the guides with fewest have.
std::vector<double> lorenz_of(std::vector<std::uint64_t> guides) {
  std::vector<double> shares;
  std::sort(guides.begin(), guides.end());
  const auto all = static_cast<double>(std::accumulate(guides.begin(), guides.end(), std::uint64_t{0}));
  std::uint64_t sum = 0;
  std::size_t summed = 0;
  for (std::size_t percent = 0; percent <= 100; ++percent) {
    for (; summed < guides.size() * percent / 100; ++summed) sum += guides[summed];
    shares.push_back(all == 0 ? 0 : std::round(static_cast<double>(sum) / all * 1e6) / 1e6);
  }
  return shares;
}

}  // namespace

void add_sources(const TextSummary& summary, Json& report) {
  Json inputs = Json::array();
  for (const SourceInfo& source : summary.sources) inputs.push_back(input_of(source));
  report["inputs"] = std::move(inputs);
}

void add_inputs(const TextSummary& summary, Json& report) {
  Json inputs = Json::array();
  for (std::size_t i = 0; i < summary.sources.size(); ++i) {
    const SourceCounts& counts = summary.source_counts[i];
    Json input = input_of(summary.sources[i]);
    input["records"] = counts.records;
    input["bases"] = counts.bases;
    input["not_acgt"] = counts.not_acgt;
    input["soft_masked"] = counts.soft_masked ? Json(*counts.soft_masked) : Json();
    inputs.push_back(std::move(input));
  }
  report["inputs"] = std::move(inputs);
}

void add_hits(const PatternSet& patterns, const RunSummary& summary, Json& report) {
  add_inputs(summary, report);
  Json& inputs = report["inputs"];
  for (std::size_t i = 0; summary.fine.by_source && i < inputs.size(); ++i)
    inputs[i]["hits"] = hits_in(summary.fine, i);

  Json rows = Json::array();
  const auto by_strand = queries_by_strand(patterns);
  for (std::size_t p = 0; p < by_strand.size(); ++p) {
    Json row = Json::object();
    row["name"] = patterns.patterns()[p].name;
    row["sequence"] = patterns.patterns()[p].sequence;
    row["palindromic"] = patterns.palindromic(p);
    if (patterns.approximate()) add_limits(patterns.patterns()[p], row);
    row["counts"] = counts_by_strand(summary.counts, by_strand[p]);
    if (summary.fine.by_edits) {
      Json by_edits = Json::object();
      for (const auto& [strand, queries] : by_strand[p]) {
        by_edits[std::string(1, strand_letter(strand))] = counts_by_edits(summary.fine, queries);
      }
      row["counts_by_edits"] = std::move(by_edits);
    }
    rows.push_back(std::move(row));
  }
  report["patterns"] = std::move(rows);
  report["hits"] = summary.hits;
  if (summary.split) {
    report[summary.split->pairs ? "matching_pairs" : "matching_reads"] = summary.split->matching;
    report[summary.split->pairs ? "other_pairs" : "other_reads"] = summary.split->others;
  }
  report["truncated_by_max_hits"] = summary.truncated;
}

void add_matrix_hits(const MatrixSet& matrices, const RunSummary& summary, Json& report) {
  add_inputs(summary, report);
  Json rows = Json::array();
  const auto by_strand = queries_by_strand(matrices.patterns());
  for (std::size_t m = 0; m < by_strand.size(); ++m) {
    const SearchedMatrix& searched = matrices.matrices()[m];
    const ScoreMatrix& matrix = searched.matrix;
    Json row = Json::object();
    row["id"] = matrix.id;
    row["name"] = matrix.name;
    row["file"] = matrix.file;
    row["format"] = to_string(matrix.format);
    row["columns"] = matrix.probabilities ? "probabilities" : "counts";
    row["width"] = matrix.width();
    Json background = Json::object();
    for (const unsigned code : kFileOrder) background[std::string(1, base_letter(code))] = matrix.background[code];
    row["background"] = std::move(background);
    row["min_bits"] = matrix.min_score / kScoreSteps;
    row["max_bits"] = matrix.max_score / kScoreSteps;
    row["reachable"] = searched.reachable();
    row["threshold_bits"] = searched.reachable() ? Json(static_cast<double>(searched.threshold) / kScoreSteps) : Json();
    row["p_value"] = searched.reachable() ? Json(searched.share()) : Json();
    row["counts"] = counts_by_strand(summary.counts, by_strand[m]);
    rows.push_back(std::move(row));
  }
  report["matrices"] = std::move(rows);
  report["hits"] = summary.hits;
  report["truncated_by_max_hits"] = summary.truncated;
}

void add_products(const PrimerSet& primers, const ProductSummary& summary, Json& report) {
  add_inputs(summary, report);
  Json rows = Json::array();
  for_each_pair(primers, summary, [&](std::uint64_t key, const std::string& name) {
    ProductCounts counts;
    for (const auto& of_source : summary.counts) {
      const auto found = of_source.find(key);
      if (found == of_source.end()) continue;
      counts.plus += found->second.plus;
      counts.minus += found->second.minus;
    }
    Json row = Json::object();
    row["name"] = name;
    row["counts"] = {{"+", counts.plus}, {"-", counts.minus}};
    rows.push_back(std::move(row));
  });
  report["pairs"] = std::move(rows);
  report["products"] = summary.hits;
  report["truncated_by_max_products"] = summary.truncated;
}

GuideFindings findings_of(const GuideSet& guides, const GuideTable& table) {
  return {guides.guides().size(),     guides.min_length(),        guides.max_length(),
          table.without_exact_copy(), guides.limits().mismatches, table.counts()};
}

void add_places(const GuideFindings& found, const TextSummary& summary, Json& report) {
  add_inputs(summary, report);
  report["guides"] = found.guides;
  report["min_guide_length"] = found.min_length;
  report["max_guide_length"] = found.max_length;
  report["guides_without_exact_copy"] = found.without_exact_copy;
  const std::uint32_t classes = found.mismatches + 1;
  Json places = Json::object();
  for (std::uint32_t i = 0; i < found.places.size(); ++i) {
    const std::uint32_t bulge = i / classes;
    const std::string mismatches = fmt::format("mismatches_{}", i % classes);
    places[bulge == 0 ? mismatches : fmt::format("bulge_{}_{}", bulge, mismatches)] = found.places[i];
  }
  report["places"] = std::move(places);
  report["hits"] = summary.hits;
}

void add_reads(const Reference& reference, const MapSummary& summary, Json& report) {
  Json target = input_of(reference.source);
  std::int64_t bases = 0;
  for (const RecordInfo& record : reference.records) bases += record.length;
  target["records"] = reference.records.size();
  target["bases"] = bases;
  report["reference"] = std::move(target);
  Json inputs = Json::array();
  for (const SourceInfo& source : summary.sources) inputs.push_back(input_of(source));
  report["inputs"] = std::move(inputs);
  report["reads"] = {{"total", summary.reads},       {"bases", summary.bases},
                     {"mapped", summary.mapped},     {"unmapped", summary.reads - summary.mapped},
                     {"too_long", summary.too_long}, {"too_short", summary.too_short},
                     {"no_bases", summary.no_bases}, {"with_unprinted_hits", summary.unprinted_reads}};
  report["hits"] = summary.hits;
  report["unprinted_hits"] = summary.unprinted_hits;
}

void add_guide_counts(const CountResult& result, const TextSummary& summary, Json& report) {
  Json library = Json::object();
  library["path"] = result.library.path;
  library["guides"] = result.library.guides.size();
  library["merged_guides"] = result.library.merged;
  report["library"] = std::move(library);
  Json inputs = Json::array();
  for (const SourceInfo& source : summary.sources) {
    Json input = input_of(source);
    for (const InputStarts& one : result.inputs) {
      if (one.path != source.path) continue;
      input["sample"] = result.samples[one.sample].name;
      input["starts"] = starts_of(one, result.strands);
    }
    inputs.push_back(std::move(input));
  }
  report["inputs"] = std::move(inputs);
  Json samples = Json::array();
  for (const SampleCounts& sample : result.samples) {
    Json row = Json::object();
    row["name"] = sample.name;
    row["reads"] = sample.reads;
    row["counted"] = sample.counted();
    row["edits_0"] = sample.exact;
    row["edits_1"] = sample.edited;
    row["ambiguous"] = sample.ambiguous;
    row["unmatched"] = sample.unmatched();
    if (result.molecules) {
      row["unread_umis"] = sample.unread_umis;
      row["umis"] = sample.molecules();
    }
    row["guides_without_reads"] = sample.guides_without_reads();
    row["gini"] = sample.gini();
    row["counts"] = bins_of(histogram_of(sample.guides));
    row["lorenz"] = lorenz_of(sample.guides);
    samples.push_back(std::move(row));
  }
  report["samples"] = std::move(samples);
}

}  // namespace basesweep
