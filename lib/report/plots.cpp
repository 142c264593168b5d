#include "lib/report/plots.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numeric>
#include <string>
#include <utility>

#include "lib/report/count_table.hpp"
#include "lib/report/plot_bins.hpp"

namespace basesweep {
namespace {

// An object or array is made with Json::object() or Json::array() before anything is put into it, see report.cpp.
using Json = nlohmann::ordered_json;

constexpr std::size_t kMostMatrices = 100;

Json strands_of(const PatternSet& patterns, const std::vector<std::uint64_t>& counts) {
  std::uint64_t of_strand[2] = {0, 0};
  for (std::size_t q = 0; q < counts.size(); ++q) {
    of_strand[patterns.queries()[q].strand == Strand::minus ? 1 : 0] += counts[q];
  }
  Json strands = Json::object();
  strands["+"] = of_strand[0];
  strands["-"] = of_strand[1];
  return strands;
}

Json edits_of(const EditPositions& positions, std::uint64_t hits) {
  Json edits = Json::object();
  edits["hits"] = hits;
  edits["mismatches"] = positions.mismatches;
  edits["insertions"] = positions.insertions;
  edits["deletions"] = positions.deletions;
  edits["hits_with_edits"] = positions.hits;
  return edits;
}

Json edit_positions(const std::vector<EditPositions>& positions, const PatternSet& patterns,
                    const RunSummary& summary) {
  EditPositions all;
  for (const EditPositions& one : positions) all.add(one);
  Json edits = Json::object();
  edits["all"] = edits_of(all, summary.hits);
  if (patterns.patterns().size() > HitTally::kMostPatterns) return edits;
  const std::vector<std::uint64_t> hits = counts_by_pattern(patterns, summary.counts);
  Json rows = Json::array();
  for (std::size_t p = 0; p < hits.size(); ++p) {
    if (hits[p] == 0) continue;
    Json row = Json::object();
    row["name"] = patterns.patterns()[p].name;
    row.update(edits_of(p < positions.size() ? positions[p] : EditPositions(), hits[p]));
    rows.push_back(std::move(row));
  }
  edits["patterns"] = std::move(rows);
  return edits;
}

Json common_plots(const HitTally& tally, const PatternSet& patterns, const HitCounts& counts, const RunSummary& summary,
                  bool lengths_known) {
  Json plots = Json::object();
  plots["strands"] = strands_of(patterns, summary.counts);
  if (tally.of_reads()) {
    plots["starts"] = bins_of(counts.starts);
  } else if (lengths_known) {
    add_density(*tally.longest(), counts.along, summary, plots);
  }
  return plots;
}

Json by_base(const std::array<double, 4>& of_codes) {
  Json column = Json::array();
  for (const unsigned code : kFileOrder) column.push_back(of_codes[code]);
  return column;
}

// The probabilities of the bases at each position, as the scores have them.
Json letters_of(const ScoreMatrix& matrix) {
  Json columns = Json::array();
  for (const auto& scores : matrix.scores) {
    std::array<double, 4> column{};
    for (std::size_t code = 0; code < column.size(); ++code) {
      const double rate = matrix.background[code] * std::exp2(scores[code] / kScoreSteps);
      column[code] = std::round(rate * 1e4) / 1e4;
    }
    columns.push_back(by_base(column));
  }
  return columns;
}

Json sites_of(const MatrixSites& sites) {
  Json columns = Json::array();
  for (const auto& counts : sites.letters) {
    Json column = Json::array();
    for (const unsigned code : kFileOrder) column.push_back(counts[code]);
    columns.push_back(std::move(column));
  }
  return columns;
}

// The scores, in bits, from the threshold up. See HitTally::count_site().
Json scores_of(const MatrixSites& sites, const SearchedMatrix& searched) {
  const double width = static_cast<double>(searched.matrix.max_score - searched.threshold + 1);
  const auto border = [&](std::size_t bin) {
    const double steps = width * static_cast<double>(bin) / static_cast<double>(MatrixSites::kScoreBins);
    return std::round((static_cast<double>(searched.threshold) + steps) / kScoreSteps * 1e3) / 1e3;
  };
  return bins_between(sites.scores, border);
}

// The numbers of the matrices with most hits, at most kMostMatrices.
std::vector<std::size_t> with_most_hits(const std::vector<MatrixSites>& matrices) {
  std::vector<std::uint64_t> hits;
  for (const MatrixSites& sites : matrices) {
    hits.push_back(std::accumulate(sites.scores.begin(), sites.scores.end(), std::uint64_t{0}));
  }
  std::vector<std::size_t> order(matrices.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return hits[a] > hits[b]; });
  order.resize(std::min(order.size(), kMostMatrices));
  std::erase_if(order, [&](std::size_t matrix) { return hits[matrix] == 0; });
  return order;
}

}  // namespace

Json bins_of(const Histogram& histogram) {
  Json bins = Json::array();
  for (const Histogram::Bin& bin : histogram.bins()) bins.push_back({bin.from, bin.to, bin.count});
  return bins;
}

Json density_rows(const LongestRecords& longest, const std::map<std::int64_t, PositionBins>& along) {
  Json listed = Json::array();
  for (const ListedRecord& record : longest.records()) {
    const auto found = along.find(record.reference);
    PositionBins bins = found == along.end() ? PositionBins() : found->second;
    bins.fit(record.length);
    Json row = Json::object();
    row["name"] = record.name;
    row["length"] = record.length;
    row["hits"] = std::accumulate(bins.counts().begin(), bins.counts().end(), std::uint64_t{0});
    row["bin"] = bins.width();
    row["counts"] = bins.counts();
    listed.push_back(std::move(row));
  }
  return listed;
}

void add_density(const LongestRecords& longest, const std::map<std::int64_t, PositionBins>& along,
                 const TextSummary& summary, Json& plots) {
  Json listed = density_rows(longest, along);
  std::uint64_t hits = 0;
  std::int64_t bases = 0;
  for (const Json& row : listed) {
    hits += row["hits"].get<std::uint64_t>();
    bases += row["length"].get<std::int64_t>();
  }
  Json others = Json::object();
  others["records"] = longest.count() - listed.size();
  others["bases"] = longest.bases() - bases;
  others["hits"] = summary.hits - hits;
  Json records = Json::object();
  records["listed"] = std::move(listed);
  records["others"] = std::move(others);
  plots["records"] = std::move(records);
}

void add_hit_plots(HitTally& tally, const PatternSet& patterns, const RunSummary& summary, bool lengths_known,
                   Json& report) {
  const HitCounts counts = tally.counts();
  Json plots = common_plots(tally, patterns, counts, summary, lengths_known);
  if (patterns.approximate()) {
    plots["edits"] = counts.edits;
    plots["edit_positions"] = edit_positions(counts.positions, patterns, summary);
  }
  report["plots"] = std::move(plots);
}

void add_matrix_plots(HitTally& tally, const MatrixSet& matrices, const RunSummary& summary, bool lengths_known,
                      Json& report) {
  const HitCounts counts = tally.counts();
  for (const std::size_t m : with_most_hits(counts.matrices)) {
    Json& row = report["matrices"][m];
    row["letters"] = letters_of(matrices.matrices()[m].matrix);
    row["sites"] = sites_of(counts.matrices[m]);
    row["scores"] = scores_of(counts.matrices[m], matrices.matrices()[m]);
  }
  report["plots"] = common_plots(tally, matrices.patterns(), counts, summary, lengths_known);
}

}  // namespace basesweep
