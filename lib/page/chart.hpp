// Charts with axes, as SVG.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "lib/page/value.hpp"

namespace basesweep {

struct ChartBar {
  double from;
  double to;
  std::vector<double> values;  // of each series
  std::string label{};         // below the bar, and in its hover text
};

// Bars over an axis of categories or of numbers.
struct Chart {
  std::string summary;  // what is to be seen, for those who cannot see it
  std::string x_title;  // with the unit
  std::string y_title;
  std::vector<std::string> series{};  // their names, for the legend; one or none: no legend
  std::vector<ChartBar> bars{};
  bool categories = false;  // one bar beside another, each with its label; else `from` and `to` are places on the axis
  bool outlines = false;    // series after the first are outlines over it; else they are stacked
  bool whole_x = false;     // values are whole numbers
  bool wide = false;        // for a figure of the whole width
  bool log_x = false;
  bool log_y = false;
  std::optional<std::pair<double, std::string>> marker{};  // a line at this place of the axis, and its name
};
// "" for a chart without bars.
std::string draw(const Chart& chart);

// A series of counts by 0, 1, 2 ... as categories. `what`: the counted thing, "hit".
Chart chart_of_counts(const std::vector<std::uint64_t>& counts, const std::string& x_title, const std::string& what);

// Histograms of the same thing as the series of a chart. Many bins are joined to about sixty, unless `keep_bins`.
// `step`: values are multiples of it; 0: whole numbers if all bins begin at these, else any.
struct BinSeries {
  std::string name;
  std::vector<Bin> bins;
};
Chart chart_of_bins(const std::vector<BinSeries>& series, const std::string& x_title, const std::string& y_title,
                    bool keep_bins = false, bool log_x = false, double step = 0);

// Curves over the unit square: of each its name and its points, in steps of equal width.
struct Curve {
  std::string name;
  std::vector<double> heights;
};
std::string draw_curves(const std::vector<Curve>& curves, const std::string& summary, const std::string& x_title,
                        const std::string& y_title);

// Names of series with their colours.
std::string legend(const std::vector<std::string>& names);

}  // namespace basesweep
