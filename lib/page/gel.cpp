#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "lib/page/bands.hpp"
#include "lib/page/text.hpp"

namespace basesweep {
namespace {

constexpr double kGelTop = 26;
constexpr double kGelHeight = 300;
constexpr double kGelLeft = 54;
constexpr double kBand = 3;  // thickness

// Sizes of the ladder within the range: 100, 120, 150, 200 ... bases.
std::vector<double> ladder(double low, double high) {
  std::vector<double> sizes;
  for (double power = 10; power <= 1e9; power *= 10) {
    for (const double step : {1.0, 1.2, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0}) {
      if (step * power >= low && step * power <= high) sizes.push_back(step * power);
    }
  }
  return sizes;
}

// Bands of a lane: counts by the row of the picture that they are in.
std::map<int, std::uint64_t> rows_of(const Lane& lane, const Scale& scale) {
  std::map<int, std::uint64_t> rows;
  for (const Bin& bin : lane.sizes) {
    const double place = scale.place((bin.from + bin.to - 1) / 2);
    std::uint64_t& sum = rows[static_cast<int>(std::floor((place - kGelTop) / kBand))];
    sum = add_up(sum, bin.count);
  }
  return rows;
}

// Bands of one lane, those of a class together.
std::string bands_of(const std::map<int, std::uint64_t>& rows, const Levels& levels, double width) {
  std::array<std::string, Levels::kLevels> paths;
  for (const auto& [row, count] : rows) {
    const int level = levels.level(static_cast<double>(count));
    if (level == 0) continue;
    paths[static_cast<std::size_t>(level) - 1] +=
        fmt::format("M0 {}h{}", coordinate(kGelTop + (row + 0.5) * kBand), coordinate(width));
  }
  std::string svg;
  for (std::size_t i = 0; i < paths.size(); ++i) {
    if (!paths[i].empty())
      svg += fmt::format("<path class=k{} stroke-width={} d=\"{}\"/>", i + 1, kBand - 0.4, paths[i]);
  }
  return svg;
}

}  // namespace

std::string draw_gel(const std::vector<Lane>& lanes, const std::string& summary) {
  double low = INFINITY;
  double high = 0;
  for (const Lane& lane : lanes) {
    if (lane.sizes.empty()) continue;
    low = std::min(low, std::max(lane.sizes.front().from, 1.0));
    high = std::max(high, lane.sizes.back().to);
  }
  if (lanes.empty() || high == 0) return "";
  // At least a factor of four, as on a gel: close sizes look close.
  const double margin = std::max(std::sqrt(4 * low / high), 1.25);
  low /= margin;
  high *= margin;
  // Short products run far: the scale is turned over.
  const Scale scale = Scale::logarithmic(low, high, kGelTop + kGelHeight, kGelTop, 0);
  std::vector<std::map<int, std::uint64_t>> rows;
  std::uint64_t most = 0;
  for (const Lane& lane : lanes) {
    rows.push_back(rows_of(lane, scale));
    for (const auto& [row, count] : rows.back()) most = std::max(most, count);
  }
  const Levels levels = Levels::of_counts(static_cast<double>(most));
  const double pitch = std::clamp(580.0 / static_cast<double>(lanes.size() + 1), 14.0, 46.0);
  const double width = std::max(kGelLeft + pitch * static_cast<double>(lanes.size() + 1) + 10, 240.0);
  std::size_t longest = 0;
  for (const Lane& lane : lanes) longest = std::max<std::size_t>(longest, std::min<std::size_t>(lane.name.size(), 18));
  std::string svg = svg_of_size(width, kGelTop + kGelHeight + 24 + 0.87 * room_of(longest), summary);
  svg += fmt::format("<rect class=gel x={} y={} width={} height={} rx=4 />", kGelLeft, kGelTop - 6,
                     coordinate(pitch * static_cast<double>(lanes.size() + 1)), kGelHeight + 12);
  std::string steps;
  double last = -20;
  const std::vector<double> sizes = ladder(low, high);
  for (auto size = sizes.rbegin(); size != sizes.rend(); ++size) {
    const double y = scale.place(*size);
    steps += fmt::format("M{} {}h{}", coordinate(kGelLeft + 3), coordinate(y), coordinate(pitch - 6));
    if (y - last < 11) continue;
    last = y;
    svg +=
        fmt::format("<text x={} y={} dy=.35em text-anchor=end>{}</text>", kGelLeft - 5, coordinate(y), rounded(*size));
  }
  svg += fmt::format("<path class=m d=\"{}\"/><text class=a x=2 y=12>size (bases)</text>", steps);
  for (std::size_t i = 0; i < lanes.size(); ++i) {
    const double x = kGelLeft + pitch * static_cast<double>(i + 1);
    svg += fmt::format(
        "<g transform=\"translate({} 0)\"><title>{}</title><rect class=lane x=0 y={} width={} height={} />{}"
        "<text transform=\"translate({} {}) rotate(-60)\" text-anchor=end>{}</text></g>",
        coordinate(x + 2), escaped(lanes[i].hover), kGelTop, coordinate(pitch - 4), kGelHeight,
        bands_of(rows[i], levels, pitch - 4), coordinate(pitch / 2 + 2), kGelTop + kGelHeight + 18,
        shortened(lanes[i].name, 18));
  }
  return level_legend(levels, "products in a band", "legend gelkey") + svg + "</svg>";
}

}  // namespace basesweep
