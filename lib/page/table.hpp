// Tables of a page, which a click on a column's title sorts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace basesweep {

// Rows that a page shows; the others are added up.
inline constexpr std::size_t kMostRows = 1000;

struct TableColumn {
  std::string title;
  bool number = false;  // aligned at the right
};

// A cell, as HTML: what stands between <td and </td>.
std::string text_cell(const std::string& text);  // escaped, and shortened if it is long
std::string code_cell(const std::string& text);  // a sequence
std::string count_cell(std::uint64_t count);
std::string number_cell(const std::string& number);              // as it is
std::string bar_cell(std::uint64_t count, std::uint64_t most);   // with a bar of its share of `most` behind it
std::string value_cell(double value, const std::string& shown);  // sorted by its value
std::string html_cell(const std::string& html);                  // as it is
std::string path_cell(const std::string& path);                  // a text with more room

class HtmlTable {
 public:
  HtmlTable(std::string caption, std::vector<TableColumn> columns)
      : caption_(std::move(caption)), columns_(std::move(columns)) {}
  void add(const std::vector<std::string>& cells);
  // A last row that is not sorted: what the others add up to. Cells at its end may be left out.
  void set_foot(std::vector<std::string> cells);
  std::size_t rows() const { return rows_; }
  std::string html() const;

 private:
  std::string caption_;
  std::vector<TableColumn> columns_;
  std::string body_;
  std::string foot_;
  std::size_t rows_ = 0;
};

}  // namespace basesweep
