#include <fmt/format.h>

#include <algorithm>

#include "lib/page/chart.hpp"
#include "lib/page/sections.hpp"
#include "lib/page/text.hpp"

namespace basesweep {
namespace {

constexpr std::size_t kMostProfiles = 4;  // records whose depth is drawn as a chart

std::string shares_of_reads(const RunView& run) {
  const Value reads = run.report.get("reads");
  const std::uint64_t mapped = reads.get("mapped").count();
  std::string figures;
  std::vector<NamedCount> parts;
  const std::uint64_t all = reads.get("total").count();
  const std::uint64_t known = add_up(
      mapped,
      add_up(reads.get("too_long").count(), add_up(reads.get("too_short").count(), reads.get("no_bases").count())));
  parts.push_back({"mapped", mapped});
  parts.push_back({"without a place", all > known ? all - known : 0});
  for (const auto& [key, name] :
       {std::pair("too_long", "too long"), {"too_short", "too short"}, {"no_bases", "without bases"}}) {
    if (const std::uint64_t count = reads.get(key).count(); count > 0) parts.push_back({name, count});
  }
  figures += shares("Reads", parts);
  if (const Value ambiguous = run.plots().get("ambiguous"); ambiguous.exists()) {
    const std::uint64_t several = std::min(ambiguous.count(), mapped);
    figures += shares("Best places of mapped reads", {{"one", mapped - several}, {"several as good", several}});
  }
  return figures;
}

// The depth along a record.
std::string depth_chart(const Value& record) {
  const RecordBar bar = bar_of(record, "base");
  const double bins = std::ceil(bar.length / bar.bin);
  if (bar.counts.empty() || bins > 4096) return "";
  Chart chart{.summary = "", .x_title = "place in " + cut(bar.name, 40) + " (bases)", .y_title = "depth"};
  chart.wide = true;
  double sum = 0;
  for (std::size_t i = 0; i < static_cast<std::size_t>(bins); ++i) {
    const double count = i < bar.counts.size() ? static_cast<double>(bar.counts[i]) : 0;
    const double from = static_cast<double>(i) * bar.bin;
    const double to = std::min(from + bar.bin, bar.length);
    sum += count;
    if (to <= from) break;
    chart.bars.push_back(
        {from, to, {count / (to - from)}, fmt::format("from {} on", grouped(static_cast<std::uint64_t>(from)))});
  }
  chart.summary = fmt::format("Depth along {}: {} on average", shortened(bar.name), decimal(sum / bar.length, 3));
  return draw(chart);
}

std::string coverage(const RunView& run) {
  const Value all = run.plots().get("coverage");
  const Value listed = all.get("listed").exists() ? all.get("listed") : all;
  std::string profiles;
  std::vector<RecordBar> bars;
  for (std::size_t i = 0; i < listed.size() && i < 50; ++i) {
    bars.push_back(bar_of(listed.at(i), "aligned base"));
    if (listed.size() <= kMostProfiles) {
      profiles +=
          figure("Coverage of " + cut(listed.at(i).get("name").text(), 60), depth_chart(listed.at(i)), "", Width::wide);
    }
  }
  if (listed.size() <= kMostProfiles) return profiles;
  const std::string summary =
      fmt::format("{} as bars, darker where more reads are aligned", counted_noun(bars.size(), "record"));
  std::string below;
  const std::uint64_t records = std::max(run.report.get("reference").get("records").count(),
                                         bars.size() + all.get("others").get("records").count());
  if (records > bars.size()) {
    below = fmt::format("The longest {} of {} are shown.", bars.size(), counted_noun(records, "record"));
  }
  return figure("Coverage along the records", draw_records(bars, summary, "reads deep", Rate::depth), below,
                Width::wide);
}

}  // namespace

std::string show_mapping(const RunView& run) {
  const Value plots = run.plots();
  std::string figures;
  if (const std::vector<std::uint64_t> edits = plots.get("edits").counts(); total_of(edits) > 0) {
    Chart chart = chart_of_counts(edits, "edits", "read");
    figures += figure("Edits of mapped reads", draw(chart));
  }
  const auto histogram = [&](const char* key, const char* title, const char* x_title, const char* counted, bool keep,
                             double step = 0) {
    figures +=
        figure(title, draw(chart_of_bins({{counted, bins_of(plots.get(key))}}, x_title, counted, keep, false, step)));
  };
  histogram("identity", "Identity of mapped reads", "identity (%)", "reads", true, 0.1);
  histogram("mapq", "Mapping quality", "mapping quality (Phred)", "reads", true);
  histogram("lengths", "Lengths of reads", "length (bases)", "reads", false);
  histogram("inserts", "Inserts of pairs", "insert size (bases)", "pairs", false);
  std::string html = row_of_shares(shares_of_reads(run)) + grid(figures);
  if (!plots.exists()) html += without(run, "edits, identity, mapping quality and coverage");
  const Value all = run.report.get("reads").get("total");
  if (all.is_count() && all.count() == 0) html = note("The input has no reads.");
  html = section(run, "Reads", html);
  html += section(run, "Coverage", coverage(run));
  const Value reference = run.report.get("reference");
  if (!reference.exists()) return html;
  return html + section(run, "Reference",
                        note(fmt::format("{}: {}, {}", reference.get("path").text(),
                                         counted_noun(reference.get("records").count(), "record"),
                                         counted_noun(reference.get("bases").count(), "base"))));
}

}  // namespace basesweep
