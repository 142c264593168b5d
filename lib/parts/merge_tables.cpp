#include "lib/parts/merge_tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "lib/base/error.hpp"
#include "lib/base/fields.hpp"
#include "lib/parts/part_records.hpp"

namespace basesweep {
namespace {

std::size_t tabs_in(std::string_view text) {
  return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\t'));
}

// The form that all rows of the parts share.
struct Form {
  std::string header;     // of the merged table, with its line end
  bool regions = false;   // rows are of regions, otherwise of records
  std::size_t tabs = 0;   // of a line
  std::size_t names = 0;  // columns before those of the matrices
  TableCell cell = TableCell::score;

  MatrixRow empty_row() const { return {tabs + 1 - names, cell}; }
};

Form form_of(const PartHead& part) {
  ByteStream stream(part.path);
  Form form;
  form.header = read_head(part.path, stream).header;
  form.regions = !parameter(part.label, "per_region").empty();
  form.cell = parameter(part.label, "table") == "count" ? TableCell::count : TableCell::score;
  form.tabs = tabs_in(form.header);
  const std::string& first = form.regions ? kRegionColumns : kRecordColumnsOfPart;
  form.names = tabs_in(first) + 1;
  if (!form.header.starts_with(first + "\t")) {
    throw DataError(fmt::format("{}: the part is damaged: its header is another", part.path));
  }
  if (!form.regions) form.header.replace(0, first.size(), kRecordColumns);
  return form;
}

// A line of a part: its columns before the cells, and the cells.
struct Line {
  std::string_view names;
  std::string_view cells;
};

Line parse_line(const PartHead& part, const Form& form, std::string_view line, std::uint64_t number) {
  line.remove_suffix(1);
  if (tabs_in(line) != form.tabs) malformed_hit(part, number);
  std::string_view cells = line;
  for (std::size_t i = 0; i < form.names; ++i) take_to(cells, '\t');
  return {line.substr(0, line.size() - cells.size() - 1), cells};
}

// A record may go on in the next part, so its row waits for the next one.
class RecordRows {
 public:
  RecordRows(const Form& form, const std::function<void(std::string_view)>& write)
      : form_(form), write_(write), row_(form.empty_row()) {}

  void begin_part() { first_ = true; }

  void add(const PartHead& part, std::string_view text, std::uint64_t line_number) {
    const Line line = parse_line(part, form_, text, line_number);
    const std::size_t tab = line.names.find('\t');
    const std::string_view name = line.names.substr(0, tab);
    std::int64_t number = 0;
    if (!parse_number(line.names.substr(tab + 1), number)) malformed_hit(part, line_number);
    const bool goes_on = first_ && number == number_ && name == name_;
    if (number <= number_ && !goes_on) malformed_hit(part, line_number);
    first_ = false;
    if (!goes_on) {
      close();
      number_ = number;
      name_ = name;
    }
    if (!row_.add_part(line.cells)) malformed_hit(part, line_number);
  }

  MergedTable finish() {
    close();
    write_(text_);
    return merged_;
  }

 private:
  void close() {
    if (number_ < 0) return;
    ++merged_.rows;
    merged_.has_hits = merged_.has_hits || row_.has_hits();
    text_ += name_ + row_.print() + "\n";
    row_.clear();
    constexpr std::size_t kEnough = std::size_t{1} << 20;
    if (text_.size() < kEnough) return;
    write_(text_);
    text_.clear();
  }

  const Form& form_;
  const std::function<void(std::string_view)>& write_;
  MatrixRow row_;
  std::int64_t number_ = -1;  // of the record that row_ is of
  std::string name_;
  bool first_ = true;  // no row of the part has come
  std::string text_;   // to be written
  MergedTable merged_;
};

MergedTable merge_records(std::span<const PartHead> parts, const Form& form,
                          const std::function<void(std::string_view)>& write) {
  RecordRows rows(form, write);
  for (const PartHead& part : parts) {
    rows.begin_part();
    for_each_record(part, [&](std::string_view line, std::uint64_t number) { rows.add(part, line, number); });
  }
  return rows.finish();
}

[[noreturn]] void refuse_regions(const PartHead& part, const PartHead& first) {
  throw DataError(fmt::format("{}: the part is damaged, or of another run: its regions are not those of {}", part.path,
                              first.path));
}

MergedTable merge_regions(std::span<const PartHead> parts, const Form& form,
                          const std::function<void(std::string_view)>& write) {
  std::vector<std::pair<std::string, MatrixRow>> rows;
  for (const PartHead& part : parts) {
    const bool first = &part == &parts.front();
    std::size_t next = 0;
    for_each_record(part, [&](std::string_view text, std::uint64_t number) {
      const Line line = parse_line(part, form, text, number);
      if (first) rows.emplace_back(line.names, form.empty_row());
      if (next == rows.size() || rows[next].first != line.names) refuse_regions(part, parts.front());
      if (!rows[next++].second.add_part(line.cells)) malformed_hit(part, number);
    });
    if (next != rows.size()) refuse_regions(part, parts.front());
  }
  MergedTable merged;
  for (const auto& [names, row] : rows) {
    ++merged.rows;
    merged.has_hits = merged.has_hits || row.has_hits();
    write(names + row.print() + "\n");
  }
  return merged;
}

}  // namespace

MergedTable merge_tables(std::span<const PartHead> parts, const std::function<void(std::string_view)>& write) {
  const Form form = form_of(parts.front());
  write(form.header);
  return form.regions ? merge_regions(parts, form, write) : merge_records(parts, form, write);
}

}  // namespace basesweep
