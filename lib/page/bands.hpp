// Pictures in which colour stands for a number: heat maps, records with the density of hits, gels.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "lib/page/scale.hpp"
#include "lib/page/value.hpp"

namespace basesweep {

// The begin of a picture of this size in pixels, which scrolls on narrow screens.
std::string svg_of_size(double width, double height, const std::string& summary);
// The colours of the classes and what they stand for.
std::string level_legend(const Levels& levels, const std::string& unit, const std::string& classes = "legend");

struct HeatRow {
  std::string name;
  std::string hover;           // of the whole row
  std::vector<double> values;  // below 0: was not searched
};
struct HeatMap {
  std::string summary;
  std::string x_title;
  std::vector<std::string> columns;  // their names, which are also hover texts
  std::vector<HeatRow> rows;
  bool shares = false;       // values are shares, not counts
  bool turn_labels = false;  // names of columns are written upwards: they are long
  std::string unit;          // "hits"
};
std::string draw(const HeatMap& map);

// The width of a text with this many characters, in pixels.
double room_of(std::size_t characters);

// A record as a bar: darker where more hits are.
struct RecordBar {
  std::string name;
  double length;
  double bin;  // bases of one count
  std::vector<std::uint64_t> counts;
  std::string hover;
};
// Colours show counts per base (depth), or per 1,000 bases or more (density). `unit`: how the legend calls them, "reads
// deep" or "hits"; for a density it adds "per kb".
enum class Rate { depth, density };
std::string draw_records(const std::vector<RecordBar>& records, const std::string& summary, const std::string& unit,
                         Rate rate);

// A lane of a gel: bands at the sizes of products, darker where there are more.
struct Lane {
  std::string name;
  std::string hover;
  std::vector<Bin> sizes;
};
std::string draw_gel(const std::vector<Lane>& lanes, const std::string& summary);

}  // namespace basesweep
