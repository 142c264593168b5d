#include "lib/page/logo.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "lib/page/text.hpp"

namespace basesweep {
namespace {

constexpr std::array<char, 4> kLetters{'A', 'C', 'G', 'T'};
constexpr std::size_t kMostLogoColumns = 60;

// 2 bits less the entropy: against a background of equal shares.
double information(const std::array<double, 4>& shares) {
  double bits = 2;
  for (const double share : shares) {
    if (share > 0) bits += share * std::log2(share);
  }
  return std::max(bits, 0.0);
}

// The letters of a position, the highest on top.
std::string stack_of(const std::array<double, 4>& shares, double x, double width, double base, double bit) {
  std::array<std::size_t, 4> order{0, 1, 2, 3};
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return shares[a] < shares[b]; });
  const double bits = information(shares);
  std::string svg;
  for (const std::size_t letter : order) {
    const double height = shares[letter] * bits * bit;
    if (height < 1) continue;
    base -= height;
    svg += fmt::format("<use href=\"#l{0}\" transform=\"matrix({1} 0 0 {2} {3} {4})\"/>", kLetters[letter],
                       coordinate(width / 100), fmt::format("{:.3f}", height / 100), coordinate(x), coordinate(base));
  }
  return svg;
}

}  // namespace

LogoColumns logo_columns(const Value& rows) {
  LogoColumns columns;
  for (const Value& row : rows.elements()) {
    if (columns.size() == kMostLogoColumns) break;
    std::array<double, 4> shares{};
    for (std::size_t i = 0; i < 4; ++i) shares[i] = std::clamp(row.at(i).number_or(0), 0.0, 1e18);
    const double sum = std::accumulate(shares.begin(), shares.end(), 0.0);
    for (double& share : shares) share = sum > 0 ? share / sum : 0.25;
    columns.push_back(shares);
  }
  return columns;
}

std::string draw_logo(const LogoColumns& columns, const std::string& summary) {
  if (columns.empty()) return "";
  constexpr double kWidth = 360;
  constexpr double kBase = 152;
  constexpr double kBit = 66;
  constexpr double kLeft = 34;
  const double width = std::min((kWidth - kLeft - 4) / static_cast<double>(columns.size()), 26.0);
  std::string svg = fmt::format("<svg viewBox=\"0 0 {} 190\" role=img aria-label=\"{}\">", kWidth, summary);
  for (const int bits : {0, 1, 2}) {
    const double y = kBase - bits * kBit;
    svg += fmt::format("<path class=g d=\"M{} {}H{}\"/><text x={} y={} dy=.35em text-anchor=end>{}</text>", kLeft, y,
                       coordinate(kLeft + width * static_cast<double>(columns.size())), kLeft - 4, y, bits);
  }
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const double x = kLeft + width * static_cast<double>(i);
    svg += fmt::format("<g><title>position {}: A {}, C {}, G {}, T {}; {} bits</title>{}</g>", i + 1,
                       percent(columns[i][0], 1), percent(columns[i][1], 1), percent(columns[i][2], 1),
                       percent(columns[i][3], 1), decimal(information(columns[i]), 3),
                       stack_of(columns[i], x + 0.5, width - 1, kBase, kBit));
    if (columns.size() <= 20 || i % 5 == 4 || i == 0) {
      svg += fmt::format("<text x={} y={} text-anchor=middle>{}</text>", coordinate(x + width / 2), kBase + 14, i + 1);
    }
  }
  return svg + fmt::format(
                   "<text class=a transform=\"translate(10 {}) rotate(-90)\" text-anchor=middle>bits</text>"
                   "<text class=a x={} y=184>position (bases)</text></svg>",
                   kBase - kBit, kLeft);
}

std::string logo_letters() {
  return "<svg class=defs width=0 height=0 aria-hidden=true><defs>"
         "<path id=lA class=nA fill-rule=evenodd d=\"M0 100L36 0h28l36 100h-25l-7-23h-36l-7 23zM38 58h24l-12-37z\"/>"
         "<path id=lC class=nC d=\"M98 66C94 88 76 100 53 100 20 100 2 80 2 50 2 20 20 0 53 0 76 0 94 12 98 34H73C70 "
         "25 63 19 53 19 36 19 "
         "27 31 27 50 27 69 36 81 53 81 63 81 70 75 73 66z\"/>"
         "<path id=lG class=nG d=\"M98 46V88C86 96 70 100 54 100 20 100 2 80 2 50 2 20 20 0 54 0 76 0 93 11 97 "
         "31H72C69 23 63 19 54 19 36 "
         "19 27 31 27 50 27 69 36 81 54 81 62 81 69 80 75 77V63H54V46z\"/>"
         "<path id=lT class=nT d=\"M2 0h96v20h-36v80h-24v-80h-36z\"/></defs></svg>\n";
}

std::string consensus(const LogoColumns& columns) {
  std::string letters;
  for (const auto& shares : columns) {
    const auto most = std::max_element(shares.begin(), shares.end());
    letters += *most > 0.5 ? kLetters[static_cast<std::size_t>(most - shares.begin())] : 'N';
  }
  return letters;
}

}  // namespace basesweep
