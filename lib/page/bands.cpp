#include "lib/page/bands.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "lib/page/text.hpp"

namespace basesweep {
namespace {

// Cells with a hover text of their own; beyond, their row has one.
constexpr std::size_t kMostHoverCells = 500;
// Cells of all records together.
constexpr std::size_t kMostRecordCells = 6000;

// Paths of stripes, one for each class: "h3" draws, "m2 0" leaves out.
class Stripes {
 public:
  // Adds a stripe from x to x + width. Stripes of a class must come in order.
  void add(int level, double x, double width) {
    if (level == 0) return;
    Path& path = paths_[static_cast<std::size_t>(level) - 1];
    if (path.text.empty()) {
      path.text = fmt::format("M{} 0h{}", coordinate(x), coordinate(width));
    } else if (std::abs(x - path.end) < 0.005) {
      path.text += "h" + coordinate(width);
    } else {
      path.text += fmt::format("m{} 0h{}", coordinate(x - path.end), coordinate(width));
    }
    path.end = x + width;
  }
  std::string svg(double thickness) const {
    std::string all;
    for (std::size_t i = 0; i < paths_.size(); ++i) {
      if (!paths_[i].text.empty()) {
        all += fmt::format("<path class=k{} stroke-width={} d=\"{}\"/>", i + 1, coordinate(thickness), paths_[i].text);
      }
    }
    return all;
  }

 private:
  struct Path {
    std::string text{};
    double end = 0;
  };
  std::array<Path, Levels::kLevels> paths_{};
};

double most_in(const HeatMap& map) {
  double most = 0;
  for (const HeatRow& row : map.rows) {
    for (const double value : row.values) most = std::max(most, value);
  }
  return most;
}

std::size_t cells_in(const HeatMap& map) {
  std::size_t cells = 0;
  for (const HeatRow& row : map.rows) {
    cells +=
        static_cast<std::size_t>(std::count_if(row.values.begin(), row.values.end(), [](double v) { return v > 0; }));
  }
  return cells;
}

std::string value_text(double value, bool share) {
  return share ? percent(value, 1) : grouped(static_cast<std::uint64_t>(std::min(value, 1e18)));
}

// Names of columns below a heat map.
std::string column_labels(const HeatMap& map, double left, double cell, double top) {
  std::string svg;
  const std::size_t step =
      map.turn_labels ? 1 : std::max<std::size_t>(1, static_cast<std::size_t>(std::ceil(24 / cell)));
  for (std::size_t i = 0; i < map.columns.size(); i += i == 0 && step > 1 ? step - 1 : step) {
    const double x = left + (static_cast<double>(i) + 0.5) * cell;
    if (map.turn_labels) {
      svg += fmt::format("<text transform=\"translate({} {}) rotate(-60)\" text-anchor=end>{}</text>",
                         coordinate(x + 4), coordinate(top + 6), shortened(map.columns[i], 18));
    } else {
      svg += fmt::format("<text x={} y={} text-anchor=middle>{}</text>", coordinate(x), coordinate(top + 13),
                         shortened(map.columns[i], 18));
    }
  }
  return svg;
}

// A record as cells of a bar, each with its counts per base.
struct JoinedRecord {
  std::vector<double> values;
  double width;
};

// Bins are joined to at most as many cells of equal width as there is room for.
JoinedRecord join_record(const RecordBar& record, double width, double least_cell) {
  const auto bins =
      static_cast<std::size_t>(std::clamp(std::ceil(record.length / std::max(record.bin, 1.0)), 1.0, 1e6));
  const std::size_t cells = std::min(static_cast<std::size_t>(std::max(width / least_cell, 1.0)), bins);
  std::vector<double> bases(cells);
  JoinedRecord joined{std::vector<double>(cells), width};
  for (std::size_t i = 0; i < bins; ++i) {
    const std::size_t cell = i * cells / bins;
    const double begin = static_cast<double>(i) * record.bin;
    bases[cell] += std::max(std::min(record.bin, record.length - begin), 0.0);
    if (i < record.counts.size()) joined.values[cell] += static_cast<double>(record.counts[i]);
  }
  for (std::size_t i = 0; i < cells; ++i) joined.values[i] /= std::max(bases[i], 1.0);
  return joined;
}

// The longest text, at most `most` characters.
std::size_t longest_of(const std::vector<std::string>& texts, std::size_t most) {
  std::size_t longest = 0;
  for (const std::string& text : texts) longest = std::max(longest, std::min(text.size(), most));
  return longest;
}

// "kb", "100 kb", "Mb"
std::string bases_of_rate(double bases) {
  const double kb = bases / 1000;
  const std::string number = kb < 1000 ? decimal(kb) : decimal(kb / 1000);
  return (number == "1" ? "" : number + " ") + (kb < 1000 ? "kb" : "Mb");
}

// 1,000 bases or as many times more that the greatest rate is not below 1.
double bases_for_rates(double most_per_base) {
  double bases = 1000;
  while (most_per_base > 0 && most_per_base * bases < 1 && bases < 1e9) bases *= 10;
  return bases;
}

}  // namespace

std::string svg_of_size(double width, double height, const std::string& summary) {
  return fmt::format(
      "<svg class=big viewBox=\"0 0 {0} {1}\" style=\"min-width:{0}px;max-width:{2}px\" role=img aria-label=\"{3}\">",
      coordinate(width), coordinate(height), coordinate(1.3 * width), summary);
}

double room_of(std::size_t characters) { return 7.2 * static_cast<double>(characters) + 8; }

std::string level_legend(const Levels& levels, const std::string& unit, const std::string& classes) {
  std::string html = "<p class=\"" + classes + "\">";
  const std::vector<LevelName> names = levels.names();
  if (names.empty()) return "<p class=legend>none</p>";
  for (const LevelName& one : names) html += fmt::format("<span><i class=k{}></i>{}</span> ", one.level, one.label);
  return html + escaped(unit) + "</p>";
}

std::string draw(const HeatMap& map) {
  if (map.rows.empty() || map.columns.empty()) return "";
  const Levels levels = map.shares ? Levels::of_shares() : Levels::of_counts(most_in(map));
  const bool each = cells_in(map) <= kMostHoverCells;
  const double cell = std::clamp(560.0 / static_cast<double>(map.columns.size()), map.turn_labels ? 13.0 : 9.0, 26.0);
  constexpr double kRow = 15;
  std::vector<std::string> names;
  for (const HeatRow& row : map.rows) names.push_back(row.name);
  const double label = room_of(longest_of(map.columns, 18));
  const double below = map.turn_labels ? 0.87 * label + 12 : 20;
  // Turned names of columns reach to the left.
  const double turned = map.turn_labels ? 0.5 * label - cell / 2 : 0;
  const double left = std::ceil(std::max({room_of(longest_of(names, 22)), turned, 24.0}));
  const double bottom = kRow * static_cast<double>(map.rows.size());
  const double width = left + cell * static_cast<double>(map.columns.size()) + 12;
  std::string svg = svg_of_size(width, bottom + below + (map.x_title.empty() ? 0 : 18), map.summary);
  for (std::size_t r = 0; r < map.rows.size(); ++r) {
    const HeatRow& row = map.rows[r];
    Stripes stripes;
    std::string cells;
    for (std::size_t c = 0; c < row.values.size() && c < map.columns.size(); ++c) {
      const int level = levels.level(row.values[c]);
      const double x = static_cast<double>(c) * cell;
      if (row.values[c] < 0) {
        cells += fmt::format("<path class=kn stroke-width={} d=\"M{} 0h{}\"><title>{}, {}: not searched</title></path>",
                             kRow - 1, coordinate(x), coordinate(cell - 1), escaped(row.name), escaped(map.columns[c]));
      }
      if (!each) stripes.add(level, x, cell - 1);
      if (each && level > 0) {
        cells += fmt::format("<path class=k{} stroke-width={} d=\"M{} 0h{}\"><title>{}, {}: {}</title></path>", level,
                             kRow - 1, coordinate(x), coordinate(cell - 1), escaped(row.name), escaped(map.columns[c]),
                             value_text(row.values[c], map.shares));
      }
    }
    svg += fmt::format(
        "<g transform=\"translate({} {})\"><title>{}</title><text x=-6 dy=.35em text-anchor=end>{}</text>"
        "<path class=k0 stroke-width={} d=\"M0 0h{}\"/>{}</g>",
        left, coordinate(kRow * (static_cast<double>(r) + 0.5)), escaped(row.hover), shortened(row.name, 22), kRow - 1,
        coordinate(cell * static_cast<double>(map.columns.size()) - 1), cells + stripes.svg(kRow - 1));
  }
  svg += column_labels(map, left, cell, bottom);
  if (!map.x_title.empty()) {
    svg +=
        fmt::format("<text class=a x={} y={}>{}</text>", left, coordinate(bottom + below + 11), escaped(map.x_title));
  }
  return level_legend(levels, map.unit) + svg + "</svg>";
}

std::string draw_records(const std::vector<RecordBar>& records, const std::string& summary, const std::string& unit,
                         Rate rate) {
  if (records.empty()) return "";
  std::vector<std::string> names;
  for (const RecordBar& record : records) names.push_back(record.name);
  const double left = std::ceil(std::max(room_of(longest_of(names, 18)), 24.0));
  constexpr double kTrack = 480;
  const double row_height = records.size() > 16 ? 14 : 18;
  const double thick = row_height - 5;
  double longest = 1;
  for (const RecordBar& record : records) longest = std::max(longest, record.length);
  const std::size_t most_cells = std::clamp<std::size_t>(kMostRecordCells / records.size(), 64, 256);
  std::vector<JoinedRecord> all;
  std::vector<double> rates;
  for (const RecordBar& record : records) {
    all.push_back(
        join_record(record, std::max(kTrack * record.length / longest, 3.0), kTrack / static_cast<double>(most_cells)));
    rates.insert(rates.end(), all.back().values.begin(), all.back().values.end());
  }
  const double times = rate == Rate::depth ? 1 : bases_for_rates(*std::max_element(rates.begin(), rates.end()));
  for (double& value : rates) value *= times;
  const Levels levels = Levels::of_rates(rates);
  std::string svg = svg_of_size(left + kTrack + 20, row_height * static_cast<double>(records.size()) + 34, summary);
  for (std::size_t r = 0; r < records.size(); ++r) {
    std::vector<double>& values = all[r].values;
    for (double& value : values) value *= times;
    const double cell = all[r].width / static_cast<double>(values.size());
    Stripes stripes;
    for (std::size_t i = 0; i < values.size();) {
      const int level = levels.level(values[i]);
      std::size_t end = i + 1;
      while (end < values.size() && levels.level(values[end]) == level) ++end;
      stripes.add(level, static_cast<double>(i) * cell, static_cast<double>(end - i) * cell);
      i = end;
    }
    svg += fmt::format(
        "<g transform=\"translate({} {})\"><title>{}</title><text x=-6 dy=.35em text-anchor=end>{}</text>"
        "<path class=k0 stroke-width={} d=\"M0 0h{}\"/>{}</g>",
        left, coordinate(row_height * (static_cast<double>(r) + 0.5)), escaped(records[r].hover),
        shortened(records[r].name, 18), coordinate(thick), coordinate(all[r].width), stripes.svg(thick));
  }
  const double bottom = row_height * static_cast<double>(records.size());
  const Scale scale(0, longest, left, left + kTrack);
  svg += fmt::format("<path class=x d=\"M{} {}h{}\"/>", left, coordinate(bottom + 2), kTrack);
  for (const Tick& tick : scale.ticks(6)) {
    svg += fmt::format("<text x={} y={} text-anchor=middle>{}</text>", coordinate(scale.place(tick.value)),
                       coordinate(bottom + 15), tick.label);
  }
  svg += fmt::format("<text class=a x={} y={} text-anchor=middle>place in the record (bases)</text>", left + kTrack / 2,
                     coordinate(bottom + 30));
  const std::string per = rate == Rate::depth ? "" : " per " + bases_of_rate(times);
  return level_legend(levels, unit + per) + svg + "</svg>";
}

}  // namespace basesweep
