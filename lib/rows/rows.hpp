// A kind of rows: its columns, and which of them each format shows.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "lib/base/line_names.hpp"
#include "lib/rows/column.hpp"
#include "lib/rows/output_format.hpp"

namespace basesweep {

// The lines of a format: text with {columns} in it. See make_line_formatter() (lib/writer/line_formatter.hpp).
struct LineShape {
  std::string header;  // with its line end; "": none
  std::string line;    // with its line end; "": the format is not for these rows
};

// Thread-safe once made.
class Rows {
 public:
  virtual ~Rows() = default;
  Rows(const Rows&) = delete;
  Rows& operator=(const Rows&) = delete;

  // All columns, also those that this run cannot give, in the order that a table has them.
  const std::vector<Column>& columns() const { return columns_; }
  // The column of this name; null: there is none.
  const Column* find(std::string_view name) const;

  // Works out what `needs` asks for, in memory of the calling thread. To be called before the columns with these needs
  // are got from a row.
  virtual void prepare(const Row& row, unsigned needs) const;
  // Rows that have the same variant have the same value in each column that is Column::by_variant.
  virtual std::size_t variants() const { return 1; }
  virtual std::size_t variant(const Row& row) const;
  // Calls use(row) with some row of the variant, in which only columns by variant can be got.
  virtual void show_variant(std::size_t variant, const std::function<void(const Row& row)>& use) const;
  // How formats other than tables show a row, and tables of other programs.
  virtual LineShape shape(OutputFormat format) const;
  // How many columns BED has, without those that are added: 6, or 12 with blocks.
  virtual std::size_t bed_columns() const { return 6; }
  // The bases on both sides of a row that columns with need::flanks show.
  virtual std::uint32_t flank() const { return 0; }
  // The names of the inputs, by PlacedRow::source.
  const std::vector<std::string>& files() const { return files_; }

 protected:
  Rows() = default;

  void add(std::vector<Column> columns);

  std::vector<Column> columns_;
  std::vector<std::string> files_;
};

// Columns that all placed rows have: record, start, end.
Column record_column();
Column start_column();
Column end_column();
// The name of the input file, from Rows::files().
Column file_column();

}  // namespace basesweep
