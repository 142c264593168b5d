// A paper's table, with our figures beside its own.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace basesweep::paper {

struct Range {
  std::optional<double> from;  // nothing: "up to"
  double to;
};
// Empty if there is no figure.
using Cell = std::variant<std::monostate, double, Range, std::string>;

enum class By { paper, ours };

struct Row {
  By by;
  std::string label;
  std::string unit;
  std::vector<Cell> cells;  // one per column
};

struct Table {
  std::string id;     // "xu-2"
  std::string title;  // the paper and its table
  std::string paper;  // its conditions: chip, text, what is timed
  std::string ours;   // our conditions; empty if nothing was measured
  std::vector<std::string> notes{};
  std::string over{};  // heading of the columns, such as "N ="
  std::vector<std::string> columns{};
  std::vector<Row> rows{};
};

// Lines of at most 160 columns, unless words are longer.
std::string to_text(const Table& table);

// The conditions of a run, and its tables.
struct Results {
  std::vector<std::pair<std::string, std::string>> conditions;
  std::vector<Table> tables;
  std::vector<std::string> wrong;  // results that should agree but do not
};

// The results as JSON, schema "basesweep-bench-paper/1".
std::string to_json(const Results& results);

}  // namespace basesweep::paper
