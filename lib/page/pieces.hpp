// Pieces that sections of a page are made of.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "lib/page/value.hpp"

namespace basesweep {

// A run, as its sections see it.
struct RunView {
  Value report;
  std::string id;      // of its headings, unique in the page
  std::string genome;  // assembly for links; "": none
  int level = 2;       // of its headings
  // Where sections note their id and title, for links to them; null: nowhere.
  std::vector<std::pair<std::string, std::string>>* headings = nullptr;

  Value plots() const { return report.get("plots"); }
};

// A section with a heading; "" for an empty body.
std::string section(const RunView& run, const std::string& title, const std::string& body);
// Numbers with their names, large.
using Tile = std::pair<std::string, std::string>;
std::string tiles(const std::vector<Tile>& tiles);
enum class Width { card, wide };
// A picture with a title and, below it, a sentence; "" without a picture. Wide pictures scroll on narrow screens.
std::string figure(const std::string& title, const std::string& picture, const std::string& note = "",
                   Width width = Width::card);
// Figures beside one another, as many as there is room for.
std::string grid(const std::string& figures);
// The same for figures of shares, which fill the line.
std::string row_of_shares(const std::string& figures);
// A sentence, as text.
std::string note(const std::string& text);
// A bar of the counts' shares of their sum, with their names and numbers.
struct NamedCount {
  std::string name;
  std::uint64_t count;
};
std::string shares(const std::string& title, const std::vector<NamedCount>& parts);
// Content that is shown on a click.
std::string folded(const std::string& summary, const std::string& content);
// Whether the command line of the run, or those of its chunks, have the option.
bool has_option(const RunView& run, const char* option);
// The sentence for a plot whose numbers the report lacks, and why it does.
std::string without(const RunView& run, const std::string& plot);

}  // namespace basesweep
