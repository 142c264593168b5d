#include "lib/page/table.hpp"

#include <fmt/format.h>

#include <cmath>

#include "lib/page/text.hpp"

namespace basesweep {
namespace {

// Longer tables get a box of their own that scrolls.
constexpr std::size_t kRowsWithoutBox = 25;

std::string row_of(const std::vector<std::string>& cells) {
  std::string row = "<tr>";
  for (const std::string& cell : cells) row += "<td" + cell;
  return row;
}

// Long texts are broken into lines on narrow screens.
std::string class_of(const std::string& text) {
  constexpr std::size_t kLong = 24;
  return text.size() > kLong ? " class=l" : "";
}

}  // namespace

std::string text_cell(const std::string& text) { return class_of(text) + title_of(text) + ">" + shortened(text); }
std::string code_cell(const std::string& text) {
  return class_of(text) + title_of(text, 40) + "><code>" + shortened(text, 40) + "</code>";
}
std::string count_cell(std::uint64_t count) { return ">" + grouped(count); }
std::string number_cell(const std::string& number) { return ">" + number; }
std::string value_cell(double value, const std::string& shown) {
  return fmt::format(" data-v={}>{}", value, escaped(shown));
}
std::string html_cell(const std::string& html) { return ">" + html; }
std::string path_cell(const std::string& path) { return " class=l" + title_of(path, 90) + ">" + shortened(path, 90); }

std::string bar_cell(std::uint64_t count, std::uint64_t most) {
  const double share = most == 0 ? 0 : 100 * static_cast<double>(count) / static_cast<double>(most);
  return fmt::format(" style=--w:{:.0f}%>{}", std::ceil(share), grouped(count));
}

void HtmlTable::add(const std::vector<std::string>& cells) {
  body_ += row_of(cells) + "\n";
  ++rows_;
}

void HtmlTable::set_foot(std::vector<std::string> cells) {
  cells.resize(columns_.size(), text_cell(""));
  foot_ = "<tfoot>" + row_of(cells);
}

std::string HtmlTable::html() const {
  std::string head;
  std::string classes = "sort";
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    head += fmt::format("<th scope=col{}>{}", columns_[i].number ? " data-number" : "", escaped(columns_[i].title));
    if (columns_[i].number) classes += fmt::format(" r{}", i + 1);
  }
  return fmt::format(
      "<div class=\"{}\" tabindex=0 role=group aria-label=\"{}\"><table class=\"{}\"><caption>{}</caption>"
      "<thead><tr>{}<tbody>\n{}{}</table></div>\n",
      rows_ > kRowsWithoutBox ? "table box" : "table", escaped(caption_), classes, escaped(caption_), head, body_,
      foot_);
}

}  // namespace basesweep
