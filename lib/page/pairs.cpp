#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "lib/page/bands.hpp"
#include "lib/page/chart.hpp"
#include "lib/page/sections.hpp"
#include "lib/page/table.hpp"
#include "lib/page/text.hpp"

namespace basesweep {
namespace {

constexpr std::size_t kMostLanes = 40;
constexpr std::size_t kMostMapRows = 50;
constexpr std::size_t kMostWeakPrimers = 30;
constexpr std::size_t kLastBases = 5;  // of a primer, in which a mismatch harms most

// "412", or "254-460" of several.
std::string span_of(const std::vector<Bin>& sizes) {
  if (sizes.empty()) return "-";
  const double last = sizes.back().to - 1;
  const std::string first = decimal(sizes.front().from, 12);
  return last > sizes.front().from ? first + "\u2013" + decimal(last, 12) : first;
}

// The smallest and the largest product of a pair. Older reports have only bins, as wide as 1/64 of the size or less.
std::string sizes_of(const Value& pair) {
  const std::vector<Bin> bins = bins_of(pair.get("sizes"));
  if (bins.empty()) return "-";
  if (!pair.get("smallest").is_count() || !pair.get("largest").is_count()) {
    return (bins.back().to - bins.back().from > 1 ? "about " : "") + span_of(bins);
  }
  const std::string first = grouped(pair.get("smallest").count());
  const std::string last = grouped(pair.get("largest").count());
  return first == last ? first : first + "\u2013" + last;
}

bool is_pool(const RunView& run) { return run.report.get("parameters").get("pool").text() == "yes"; }

std::string pair_table(const RunView& run, const Value& pairs, const std::vector<std::uint64_t>& products) {
  std::unordered_map<std::string, std::string> sizes;
  for (const Value& pair : run.plots().get("pair_sizes").elements()) {
    sizes[pair.get("name").text()] = sizes_of(pair);
  }
  std::vector<std::size_t> rows = rows_by_hits(products, kMostRows);
  const std::uint64_t most = rows.empty() ? 0 : products[rows.front()];
  if (rows.size() == products.size()) std::sort(rows.begin(), rows.end());
  std::vector<TableColumn> columns{{"no.", true}, {"pair"}, {"products", true}, {"on +", true}, {"on \u2212", true}};
  if (!sizes.empty()) columns.push_back({"sizes (bases)", true});
  HtmlTable table(
      rows.size() < products.size() ? "Products per pair: the pairs with the most products" : "Products per pair",
      columns);
  std::uint64_t shown = 0;
  for (const std::size_t i : rows) {
    const Value pair = pairs.at(i);
    const std::string name = pair.get("name").text();
    const auto size = sizes.find(name);
    shown = add_up(shown, products[i]);
    std::vector<std::string> cells{count_cell(i + 1), text_cell(name), bar_cell(products[i], most),
                                   count_cell(pair.get("counts").get("+").count()),
                                   count_cell(pair.get("counts").get("-").count())};
    if (!sizes.empty()) cells.push_back(number_cell(size == sizes.end() ? "-" : size->second));
    table.add(cells);
  }
  if (rows.size() < products.size()) {
    table.set_foot({text_cell(""), text_cell(more_of(products.size() - rows.size(), "pair")),
                    count_cell(total_of(products) - shown)});
  }
  return table.html();
}

std::string pairs_without_products(const RunView& run, const Value& pairs, const std::vector<std::uint64_t>& products) {
  if (is_pool(run)) return "";  // the report lists only pairs with products
  constexpr std::size_t kMostShown = 60;
  std::string names;
  std::size_t without = 0;
  for (std::size_t i = 0; i < products.size(); ++i) {
    if (products[i] != 0) continue;
    if (without++ < kMostShown) names += (names.empty() ? "" : ", ") + cut(pairs.at(i).get("name").text());
  }
  if (without == 0) return products.empty() ? "" : note("Every pair has a product.");
  if (without > kMostShown) names += fmt::format(" and {} more", grouped(without - kMostShown));
  return note(fmt::format("Pairs without product ({} of {}): {}", grouped(without), grouped(products.size()), names));
}

// The most frequent sizes of a lane, for its hover text.
std::string frequent_sizes(std::vector<Bin> sizes) {
  std::stable_sort(sizes.begin(), sizes.end(), [](const Bin& a, const Bin& b) { return a.count > b.count; });
  std::string text;
  for (std::size_t i = 0; i < sizes.size() && i < 5; ++i) {
    text += fmt::format("{}{}: {}", i == 0 ? "" : ", ", span_of({sizes[i]}), grouped(sizes[i].count));
  }
  return text + (sizes.size() > 5 ? " ..." : "");
}

std::string gel_figure(const RunView& run) {
  std::vector<Lane> lanes;
  std::vector<std::uint64_t> products;
  for (const Value& pair : run.plots().get("pair_sizes").elements()) {
    Lane lane{pair.get("name").text(), "", bins_of(pair.get("sizes"))};
    if (lane.sizes.empty()) continue;
    if (pair.get("smallest").is_count() && pair.get("largest").is_count()) {
      Bin& first = lane.sizes.front();
      Bin& last = lane.sizes.back();
      first.from = std::clamp(pair.get("smallest").number_or(0), first.from, first.to - 1);
      last.to = std::clamp(pair.get("largest").number_or(0) + 1, last.from + 1, last.to);
    }
    std::uint64_t sum = 0;
    for (const Bin& bin : lane.sizes) sum = add_up(sum, bin.count);
    lane.hover = fmt::format("{}: {}. Bases: {}", lane.name, counted_noun(sum, "product"), frequent_sizes(lane.sizes));
    products.push_back(sum);
    lanes.push_back(std::move(lane));
  }
  std::vector<std::size_t> chosen = rows_by_hits(products, kMostLanes);
  std::sort(chosen.begin(), chosen.end());
  std::vector<Lane> shown;
  for (const std::size_t i : chosen) shown.push_back(lanes[i]);
  const std::string summary = fmt::format("Gel with a lane for each of {}: bands at the sizes of their products",
                                          counted_noun(shown.size(), "pair"));
  const std::string below =
      shown.size() < lanes.size() ? fmt::format("The {} pairs with the most products are shown.", kMostLanes) : "";
  return figure("Sizes of products as on a gel", draw_gel(shown, summary), "The first lane is a ladder. " + below,
                Width::wide);
}

std::string pair_record_map(const RunView& run) {
  const Value counts = run.plots().get("pair_records");
  HeatMap map{.summary = "", .x_title = "", .columns = {}, .rows = {}, .unit = "products"};
  for (std::size_t c = 0; c < counts.get("records").size() && c < kMostMapRows; ++c) {
    map.columns.push_back(counts.get("records").at(c).text());
  }
  for (std::size_t r = 0; r < counts.get("pairs").size() && r < kMostMapRows; ++r) {
    HeatRow row{.name = counts.get("pairs").at(r).text(), .hover = "", .values = {}};
    std::uint64_t sum = 0;
    for (const std::uint64_t count : counts.get("counts").at(r).counts()) {
      row.values.push_back(static_cast<double>(count));
      sum = add_up(sum, count);
    }
    row.hover = row.name + ": " + counted_noun(sum, "product") + " in these records";
    map.rows.push_back(std::move(row));
  }
  if (map.columns.size() < 2) return "";  // the table of pairs has the same numbers
  map.turn_labels = true;
  map.summary = fmt::format("Heat map of the products of {} in {}", counted_noun(map.rows.size(), "pair"),
                            counted_noun(map.columns.size(), "record"));
  std::string below;
  if (const std::uint64_t others = counts.get("others").count(); others > 0) {
    below += counted_noun(others, "product") + " of other pairs or in other records. ";
  }
  if (const std::uint64_t others = counts.get("other_records").count(); others > 0) {
    below += counted_noun(others, "product") + " in other records. ";
  }
  if (const std::uint64_t others = counts.get("other_pairs").count(); others > 0) {
    below += counted_noun(others, "product") + " of other pairs.";
  }
  return figure("Products of each pair in each record", draw(map), below, Width::wide);
}

struct PrimerStrength {
  Value primer;
  double hits;
  double mean_edits;
  double near_end;  // share of mismatches in the last bases, per product
};

std::vector<PrimerStrength> weakest_primers(const Value& primers) {
  std::vector<PrimerStrength> all;
  for (const Value& primer : primers.elements()) {
    const double hits = primer.get("hits").number_or(0);
    if (!(hits > 0)) continue;
    double edits = 0;
    double near_end = 0;
    const std::vector<std::uint64_t> by_edits = primer.get("edits").counts();
    for (std::size_t i = 0; i < by_edits.size(); ++i)
      edits += static_cast<double>(i) * static_cast<double>(by_edits[i]);
    const std::vector<std::uint64_t> mismatches = primer.get("mismatches").counts();
    for (std::size_t i = 0; i < mismatches.size() && i < kLastBases; ++i)
      near_end += static_cast<double>(mismatches[i]);
    all.push_back({primer, hits, edits / hits, near_end / hits});
  }
  std::stable_sort(all.begin(), all.end(), [](const PrimerStrength& a, const PrimerStrength& b) {
    return a.near_end != b.near_end ? a.near_end > b.near_end : a.mean_edits > b.mean_edits;
  });
  return all;
}

std::string without_primers(const RunView& run) {
  if (run.report.get("parameters").get("table").exists()) return without(run, "where primers mismatch");
  return note(
      "Not shown: where primers mismatch. The output has not the letters of products, and reading them all would take "
      "long where --size allows more than 20,000 bases or there are more than 2,000 primers.");
}

std::string primer_section(const RunView& run) {
  std::vector<PrimerStrength> all = weakest_primers(run.plots().get("primers"));
  if (all.empty()) return "";
  const bool pool = is_pool(run);
  std::vector<TableColumn> columns{{"primer"}};
  if (!pool) columns.insert(columns.end(), {{"pair"}, {"side"}});
  columns.insert(columns.end(), {{"products", true},
                                 {"edits per product", true},
                                 {fmt::format("mismatches in the last {} bases, per product", kLastBases), true}});
  HtmlTable table("Primers, the weakest first", columns);
  HeatMap map{.summary = "",
              .x_title = "position from the 3\u2032 end (1: the last base)",
              .columns = {},
              .rows = {},
              .unit = "of products have a mismatch there"};
  std::size_t widest = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const Value primer = all[i].primer;
    const std::string name = primer.get("name").text();
    std::vector<std::string> cells{text_cell(name)};
    if (!pool) {
      cells.push_back(text_cell(primer.get("pair").text()));
      cells.push_back(text_cell(primer.get("side").text()));
    }
    cells.push_back(count_cell(primer.get("hits").count()));
    cells.push_back(number_cell(decimal(all[i].mean_edits, 3)));
    cells.push_back(number_cell(decimal(all[i].near_end, 3)));
    table.add(cells);
    if (i >= kMostWeakPrimers || all[i].mean_edits == 0) continue;
    HeatRow row{.name = name, .hover = name + ": " + counted_noun(primer.get("hits").count(), "product"), .values = {}};
    const std::vector<std::uint64_t> mismatches = primer.get("mismatches").counts();
    for (std::size_t p = 0; p < mismatches.size() && p < 100; ++p) {
      row.values.push_back(std::min(static_cast<double>(mismatches[p]) / all[i].hits, 1.0));
    }
    widest = std::max(widest, row.values.size());
    map.rows.push_back(std::move(row));
  }
  for (std::size_t p = 0; p < widest; ++p) map.columns.push_back(std::to_string(p + 1));
  map.shares = true;
  map.summary = fmt::format("Heat map of the mismatches of {} by position from the 3\u2032 end",
                            counted_noun(map.rows.size(), "primer"));
  return figure("Where the weakest primers mismatch", draw(map), "", Width::wide) + table.html();
}

}  // namespace

std::string show_pairs(const RunView& run) {
  const Value pairs = run.report.get("pairs");
  std::vector<std::uint64_t> products;
  for (std::size_t i = 0; i < pairs.size(); ++i) products.push_back(hits_of(pairs.at(i)));
  std::string html =
      section(run, "Pairs",
              products.empty() ? note("The report lists no pairs.")
                               : pair_table(run, pairs, products) + pairs_without_products(run, pairs, products));
  const Value plots = run.plots();
  const std::vector<Bin> sizes = bins_of(plots.get("sizes"));
  std::string figures =
      figure("Sizes of products", draw(chart_of_bins({{"products", sizes}}, "size (bases)", "products")));
  const std::vector<std::uint64_t> edits = plots.get("edits").counts();
  if (total_of(edits) > 0)
    figures +=
        figure("Edits of both primers", draw(chart_of_counts(edits, "edits of both primers together", "product")));
  const std::string gel = gel_figure(run);
  const std::string records = records_figure(run, "product");
  std::string found = row_of_shares(strands_figure(run)) + grid(figures) + gel + pair_record_map(run) + records;
  if (total_of(products) > 0) {
    if (sizes.empty()) {
      found += without(run, "the sizes of products");
    } else if (gel.empty()) {
      found += note("Not shown: the gel. The pool has too many primers: every two could be a lane.");
    }
    if (records.empty()) found += without(run, "the density of products along records");
  }
  html += section(run, "Products", found);
  std::string primers = primer_section(run);
  if (primers.empty() && !sizes.empty()) primers = without_primers(run);
  return html + section(run, "Primers", primers);
}

}  // namespace basesweep
