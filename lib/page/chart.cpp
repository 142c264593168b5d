#include "lib/page/chart.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "lib/page/bands.hpp"
#include "lib/page/scale.hpp"
#include "lib/page/text.hpp"

namespace basesweep {
namespace {

// The picture and the rectangle inside of its axes, in pixels of a narrow screen.
constexpr double kWidth = 360;
constexpr double kWideWidth = 820;
constexpr double kHeight = 212;
constexpr double kLeft = 54;
constexpr double kMargin = 14;  // at the right
constexpr double kTop = 18;
constexpr double kBottom = 172;

constexpr std::size_t kMostLabels = 12;  // of categories, before every second one is left out
constexpr std::size_t kMostValues = 8;   // bars whose values are written above them

double right_of(bool wide) { return (wide ? kWideWidth : kWidth) - kMargin; }

std::string svg_begin(const std::string& summary, bool wide = false) {
  if (wide) return svg_of_size(kWideWidth, kHeight, summary);
  return fmt::format("<svg viewBox=\"0 0 {} {}\" role=img aria-label=\"{}\">", kWidth, kHeight, summary);
}

std::string axis_titles(const std::string& x_title, const std::string& y_title, double right) {
  return fmt::format(
      "<text class=a x={} y={} text-anchor=middle>{}</text><text class=a transform=\"translate(10 {}) rotate(-90)\" "
      "text-anchor=middle>{}</text>",
      (kLeft + right) / 2, kHeight - 6, escaped(x_title), (kTop + kBottom) / 2, escaped(y_title));
}

std::string y_axis(const Scale& scale, const std::vector<Tick>& ticks, double right) {
  std::string lines, labels;
  for (const Tick& tick : ticks) {
    const std::string y = coordinate(scale.place(tick.value));
    lines += fmt::format("M{} {}H{}", kLeft, y, right);
    labels += fmt::format("<text x={} y={} dy=.35em text-anchor=end>{}</text>", kLeft - 5, y, tick.label);
  }
  return fmt::format("<path class=g d=\"{}\"/>{}", lines, labels);
}

std::string x_tick(double x, const std::string& label) {
  return fmt::format("<text x={} y={} text-anchor=middle>{}</text>", coordinate(x), kBottom + 14, label);
}

// Draws the bars of a chart.
class BarPainter {
 public:
  explicit BarPainter(const Chart& chart)
      : chart_(chart),
        right_(right_of(chart.wide)),
        x_(make_x(chart)),
        y_(make_y(chart)),
        gap_(chart.categories ? 0.15 * (right_ - kLeft) / static_cast<double>(chart.bars.size()) : 0) {}

  std::string paint() const {
    std::string svg = svg_begin(chart_.summary, chart_.wide) + y_axis(y_, y_ticks(), right_);
    for (const ChartBar& bar : chart_.bars) svg += paint_bar(bar);
    if (chart_.outlines) svg += outlines();
    svg += fmt::format("<path class=x d=\"M{} {}H{}\"/>", kLeft, kBottom, right_) + x_labels();
    if (chart_.marker) svg += marker();
    return svg + axis_titles(chart_.x_title, chart_.y_title + (chart_.log_y ? " (log scale)" : ""), right_) + "</svg>";
  }

 private:
  static Scale make_x(const Chart& chart) {
    const double right = right_of(chart.wide);
    if (chart.categories) return {0, static_cast<double>(chart.bars.size()), kLeft, right};
    double low = chart.bars.front().from;
    double high = chart.bars.back().to;
    if (chart.marker) low = std::min(low, chart.marker->first);
    if (chart.whole_x && high - low < 10) {
      low = std::max(low - 4, std::min(low, -0.5));
      high += 4;
    }
    if (chart.log_x) return Scale::logarithmic(std::max(low, 0.0), high, kLeft, right, 1);
    return {low, high, kLeft, right};
  }
  static double top_of(const Chart& chart) {
    double top = 0;
    for (const ChartBar& bar : chart.bars) {
      const double sum = std::accumulate(bar.values.begin(), bar.values.end(), 0.0);
      top = std::max(
          top, chart.outlines && !bar.values.empty() ? *std::max_element(bar.values.begin(), bar.values.end()) : sum);
    }
    return top > 0 ? top : 1;
  }
  static Scale make_y(const Chart& chart) {
    const double top = top_of(chart);
    if (chart.log_y) return Scale::logarithmic(0.5, std::max(top, 10.0), kBottom, kTop, 0);
    return {0, top * 1.02, kBottom, kTop};
  }

  // Counts have no ticks between whole numbers.
  std::vector<Tick> y_ticks() const {
    std::vector<Tick> ticks = y_.ticks(5);
    const bool whole = std::all_of(chart_.bars.begin(), chart_.bars.end(), [](const ChartBar& bar) {
      return std::all_of(bar.values.begin(), bar.values.end(), [](double v) { return v == std::floor(v); });
    });
    if (whole)
      std::erase_if(ticks, [](const Tick& tick) { return std::abs(tick.value - std::round(tick.value)) > 1e-6; });
    return ticks;
  }

  std::pair<double, double> sides(const ChartBar& bar) const {
    const double left = x_.place(bar.from) + gap_;
    const double right = x_.place(bar.to) - gap_;
    if (right - left > 3 && !chart_.categories) return {left + 0.4, right - 0.4};
    const double missing = std::max(0.0, 1.2 - (right - left)) / 2;
    return {left - missing, right + missing};
  }

  std::string hover(const ChartBar& bar) const {
    std::string text = escaped(bar.label) + ": ";
    for (std::size_t i = 0; i < bar.values.size(); ++i) {
      text += (i == 0 ? "" : ", ") + (chart_.series.size() > 1 ? escaped(chart_.series[i]) + " " : std::string());
      text += bar.values[i] == std::floor(bar.values[i]) && bar.values[i] < 1e15
                  ? grouped(static_cast<std::uint64_t>(bar.values[i]))
                  : decimal(bar.values[i]);
    }
    return text;
  }

  std::string paint_bar(const ChartBar& bar) const {
    const auto [left, right] = sides(bar);
    std::string svg;
    double below = 0;
    for (std::size_t i = 0; i < (chart_.outlines ? 1 : bar.values.size()); ++i) {
      if (!(bar.values[i] > 0)) continue;
      const double low = below == 0 ? kBottom : y_.place(below);
      below += bar.values[i];
      const double high = y_.place(below);
      svg += fmt::format("<path class=s{} d=\"M{} {}H{}V{}H{}z\"/>", i % 6, coordinate(left), coordinate(low),
                         coordinate(right), coordinate(high), coordinate(left));
    }
    if (std::all_of(bar.values.begin(), bar.values.end(), [](double value) { return !(value > 0); })) return "";
    svg = fmt::format("<g><title>{}</title>{}</g>", hover(bar), svg);
    if (!chart_.categories || chart_.bars.size() > kMostValues || below == 0) return svg;
    return svg + fmt::format("<text class=v x={} y={} text-anchor=middle>{}</text>", coordinate((left + right) / 2),
                             coordinate(y_.place(below) - 4), rounded(below));
  }

  // Series after the first as lines of steps.
  std::string outlines() const {
    std::string svg;
    for (std::size_t i = 1; i < chart_.series.size(); ++i) {
      std::string path;
      double end = -1;
      for (const ChartBar& bar : chart_.bars) {
        if (bar.from != end) path += fmt::format("M{} {}", coordinate(x_.place(bar.from)), kBottom);
        path += fmt::format("V{}H{}", coordinate(y_.place(i < bar.values.size() ? bar.values[i] : 0)),
                            coordinate(x_.place(bar.to)));
        end = bar.to;
        const bool last = &bar == &chart_.bars.back() || (&bar)[1].from != end;
        if (last) path += fmt::format("V{}", kBottom);
      }
      svg += fmt::format("<path class=\"o s{}\" d=\"{}\"><title>{}</title></path>", i % 6, path,
                         escaped(chart_.series[i]));
    }
    return svg;
  }

  std::string x_labels() const {
    std::string svg;
    if (!chart_.categories) {
      for (const Tick& tick : x_.ticks(6)) {
        const bool between = chart_.whole_x && std::abs(tick.value - std::round(tick.value)) > 1e-6;
        if (!between) svg += x_tick(x_.place(tick.value), tick.label);
      }
      return svg;
    }
    const std::size_t step = (chart_.bars.size() + kMostLabels - 1) / kMostLabels;
    for (std::size_t i = 0; i < chart_.bars.size(); i += step) {
      svg += x_tick(x_.place(static_cast<double>(i) + 0.5), shortened(chart_.bars[i].label, 12));
    }
    return svg;
  }

  std::string marker() const {
    const double x = x_.place(chart_.marker->first);
    const bool at_right = x > (kLeft + right_) / 2;
    return fmt::format("<path class=m d=\"M{0} {1}V{2}\"/><text class=v x={3} y={4} text-anchor={5}>{6}</text>",
                       coordinate(x), kTop - 8, kBottom, coordinate(at_right ? x - 4 : x + 4), kTop - 2,
                       at_right ? "end" : "start", escaped(chart_.marker->second));
  }

  const Chart& chart_;
  double right_;
  Scale x_;
  Scale y_;
  double gap_;  // beside a bar of a category
};

// The values of a bin as text: "120", "120-127", "0.5-0.6".
std::string range_of(double from, double to, double step) {
  if (step > 0 && to - from < 1.5 * step) return decimal(from, 12);
  const bool whole = from == std::floor(from) && to == std::floor(to);
  if (whole && to - from <= 1) return decimal(from, 12);
  const int digits = whole || step > 0 ? 12 : 4;
  return decimal(from, digits) + "\u2013" + decimal(step > 0 ? to - step : whole ? to - 1 : to, digits);
}

// Where groups of bins begin: at `low` and from there on in steps of `width`.
std::vector<double> even_edges(double low, double high, double width) {
  constexpr int kMostEdges = 1000;
  std::vector<double> edges;
  for (int i = 0; i < kMostEdges && (edges.empty() || edges.back() < high); ++i) edges.push_back(low + i * width);
  return edges;
}

// Where groups of whole numbers begin that are about as wide as one another on a logarithmic scale.
std::vector<double> logarithmic_edges(double low, double high) {
  constexpr std::size_t kGroups = 36;
  const double factor = std::pow((high + 1) / (low + 1), 1.0 / kGroups);
  std::vector<double> edges{std::floor(low)};
  while (edges.back() < high && edges.size() <= 2 * kGroups) {
    edges.push_back(std::max(edges.back() + 1, std::floor((edges.back() + 1) * factor - 1)));
  }
  return edges;
}

// Adds the bins of all series to the group that they begin in. A bar's label names the values that are there.
std::vector<ChartBar> join_bins(const std::vector<BinSeries>& series, const std::vector<double>& edges,
                                double step = 0) {
  std::vector<ChartBar> bars;
  std::vector<std::pair<double, double>> held(edges.size(), {INFINITY, -INFINITY});
  for (std::size_t i = 0; i + 1 < edges.size(); ++i) {
    bars.push_back({edges[i], edges[i + 1], std::vector<double>(series.size())});
  }
  for (std::size_t s = 0; s < series.size(); ++s) {
    for (const Bin& bin : series[s].bins) {
      const double inside = bin.from + (bin.to - bin.from) * 1e-6;  // the edges may be rounded
      const auto next = std::upper_bound(edges.begin(), edges.end(), inside);
      const auto group =
          static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(next - edges.begin() - 1, 0, std::ssize(bars) - 1));
      bars[group].values[s] += static_cast<double>(bin.count);
      held[group] = {std::min(held[group].first, bin.from), std::max(held[group].second, bin.to)};
    }
  }
  for (std::size_t i = 0; i < bars.size(); ++i) {
    if (held[i].second > held[i].first) bars[i].label = range_of(held[i].first, held[i].second, step);
  }
  return bars;
}

bool all_whole(const std::vector<BinSeries>& series) {
  return std::all_of(series.begin(), series.end(), [](const BinSeries& one) {
    return std::all_of(one.bins.begin(), one.bins.end(),
                       [](const Bin& bin) { return bin.from == std::floor(bin.from) && bin.to == std::floor(bin.to); });
  });
}

// The narrowest bin of all series.
double least_width(const std::vector<BinSeries>& series) {
  double least = INFINITY;
  for (const BinSeries& one : series) {
    for (const Bin& bin : one.bins) least = std::min(least, bin.to - bin.from);
  }
  return least;
}

}  // namespace

std::string legend(const std::vector<std::string>& names) {
  std::string html = "<p class=legend>";
  for (std::size_t i = 0; i < names.size(); ++i) {
    html += fmt::format("<span{}><i class=s{}></i>{}</span> ", title_of(names[i], 32), i % 6, shortened(names[i], 32));
  }
  return html + "</p>";
}

std::string draw(const Chart& chart) {
  if (chart.bars.empty()) return "";
  return (chart.series.size() > 1 ? legend(chart.series) : "") + BarPainter(chart).paint();
}

Chart chart_of_counts(const std::vector<std::uint64_t>& counts, const std::string& x_title, const std::string& what) {
  Chart chart{.summary = "", .x_title = x_title, .y_title = what + "s"};
  chart.categories = true;
  std::string parts;
  for (std::size_t i = 0; i < counts.size() && i < 64; ++i) {
    const auto place = static_cast<double>(i);
    chart.bars.push_back({place, place + 1, {static_cast<double>(counts[i])}, std::to_string(i)});
    parts += fmt::format("{}{}: {}", i == 0 ? "" : ", ", i, grouped(counts[i]));
  }
  chart.summary = fmt::format("Bar chart of {}s by {}: {}", escaped(what), escaped(x_title), parts);
  return chart;
}

Chart chart_of_bins(const std::vector<BinSeries>& series, const std::string& x_title, const std::string& y_title,
                    bool keep_bins, bool log_x, double step) {
  constexpr double kMostGroups = 400;
  Chart chart{.summary = "", .x_title = x_title, .y_title = y_title};
  chart.log_x = log_x;
  chart.outlines = true;
  chart.whole_x = all_whole(series);
  double low = INFINITY;
  double high = -INFINITY;
  std::string totals;
  for (const BinSeries& one : series) {
    chart.series.push_back(one.name);
    std::uint64_t total = 0;
    for (const Bin& bin : one.bins) total = add_up(total, bin.count);
    totals += (totals.empty() ? "" : ", ") + (series.size() > 1 ? shortened(one.name, 32) + " " : "") + grouped(total);
    if (one.bins.empty()) continue;
    low = std::min(low, one.bins.front().from);
    high = std::max(high, one.bins.back().to);
  }
  if (!(high > low)) return chart;
  if (log_x) {
    chart.bars = join_bins(series, logarithmic_edges(std::max(low, 0.0), high));
  } else {
    const double width = keep_bins ? std::max(least_width(series), (high - low) / kMostGroups)
                                   : std::max(nice_width((high - low) / 60), 1.0);
    const double first = keep_bins ? low : std::floor(low / width) * width;
    chart.bars = join_bins(series, even_edges(first, high, width), step);
    // Bars of single values stand over their number.
    for (ChartBar& bar : chart.bars) {
      if (!chart.whole_x || width != 1) break;
      bar.from -= 0.5;
      bar.to -= 0.5;
    }
  }
  // The bins are known, not the values in them.
  const int digits = chart.whole_x || step > 0 ? 12 : 4;
  const std::string first = decimal(low, digits);
  const std::string last = decimal(chart.whole_x ? high - 1 : high - step, digits);
  chart.summary = fmt::format("Histogram of {} by {}: {}, {}", escaped(y_title), escaped(x_title), totals,
                              first == last ? "all " + first : fmt::format("between {} and {}", first, last));
  return chart;
}

std::string draw_curves(const std::vector<Curve>& curves, const std::string& summary, const std::string& x_title,
                        const std::string& y_title) {
  const double right = right_of(false);
  const Scale x(0, 1, kLeft, right);
  const Scale y(0, 1, kBottom, kTop);
  std::vector<Tick> ticks;
  for (const int share : {0, 25, 50, 75, 100}) ticks.push_back({share / 100.0, std::to_string(share)});
  std::string svg = svg_begin(summary) + y_axis(y, ticks, right);
  for (const Tick& tick : ticks) svg += x_tick(x.place(tick.value), tick.label);
  svg += fmt::format("<path class=\"m\" d=\"M{} {}L{} {}\"/>", kLeft, kBottom, right, kTop);
  for (std::size_t i = 0; i < curves.size(); ++i) {
    std::string path;
    const std::size_t points = curves[i].heights.size();
    for (std::size_t p = 0; p < points; ++p) {
      path += fmt::format(
          "{}{} {}", p == 0 ? "M" : "L",
          coordinate(x.place(static_cast<double>(p) / static_cast<double>(std::max<std::size_t>(points, 2) - 1))),
          coordinate(y.place(curves[i].heights[p])));
    }
    svg += fmt::format("<path class=\"o s{}\" d=\"{}\"><title>{}</title></path>", i % 6, path, escaped(curves[i].name));
  }
  std::vector<std::string> names;
  for (const Curve& curve : curves) names.push_back(curve.name);
  return (names.size() > 1 ? legend(names) : "") + svg + axis_titles(x_title, y_title, right) + "</svg>";
}

}  // namespace basesweep
