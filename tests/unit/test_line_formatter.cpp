// Lines of text: what stands between values, and groups that are left out.
#include "lib/writer/line_formatter.hpp"

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "lib/rows/column_kinds.hpp"
#include "lib/search/packed_batch.hpp"
#include "tests/support/catch.hpp"

namespace basesweep::test_line_formatter {

namespace {

struct Example : PlacedRow {
  std::size_t variant = 0;
  std::optional<std::int64_t> number;
  std::optional<std::string> text;
};

// Rows of any shape, with two variants.
class Examples final : public Rows {
 public:
  explicit Examples(std::string line) : line_(std::move(line)) {
    columns_ = {record_column(), start_column(), end_column()};
    const auto add = [this](const char* name, Column::Get get) {
      columns_.push_back({.name = name, .type = ColumnType::text, .meaning = "", .get = get});
    };
    add("number", get_of<Examples, Example>([](const Examples&, const Example& row, Cell& cell) {
          if (row.number) cell.set(*row.number);
        }));
    add("text", get_of<Examples, Example>([](const Examples&, const Example& row, Cell& cell) {
          if (row.text) cell.set(*row.text);
        }));
    add("kind", get_of<Examples, Example>([](const Examples&, const Example& row, Cell& cell) {
          cell.set(row.variant == 0 ? std::string_view("x") : std::string_view("a kind with a name of many letters"));
        }));
    columns_.back().by_variant = true;
  }

  std::size_t variants() const override { return 2; }
  std::size_t variant(const Row& row) const override { return static_cast<const Example&>(row).variant; }
  void show_variant(std::size_t variant, const std::function<void(const Row& row)>& use) const override {
    Example row;
    row.variant = variant;
    use(row);
  }
  LineShape shape(OutputFormat /*format*/) const override { return {"", line_}; }

 private:
  std::string line_;
};

std::string print(const std::string& shape, const std::vector<Example>& rows) {
  const auto formatter = make_line_formatter(std::make_shared<Examples>(shape), OutputFormat::bed);
  RowText text;
  for (const Example& row : rows) formatter->append(row, text);
  return std::string(text.view());
}

Example example(std::size_t variant, std::optional<std::int64_t> number, std::optional<std::string> text) {
  Example row;
  row.record_name = "chr1";
  row.start = 12'345'678'901;
  row.end = 12'345'678'999;
  row.variant = variant;
  row.number = number;
  row.text = std::move(text);
  return row;
}

}  // namespace

TEST_CASE("lines: places, variants and values, with texts of all lengths between") {
  for (std::size_t size = 0; size <= 50; ++size) {
    const std::string between(size, '-');
    const std::string shape = between + "{record}" + between + "{start}" + between + "{kind}" + between + "{text}" +
                              between + "{number}" + between + "{end}" + between + "\n";
    const std::string text(3 * size, 't');
    const std::string kinds[] = {"x", "a kind with a name of many letters"};
    std::string expected;
    std::vector<Example> rows;
    for (const std::size_t variant : {0U, 1U, 1U, 0U}) {
      rows.push_back(example(variant, -7, text));
      expected += between + "chr1" + between + "12345678901" + between + kinds[variant] + between + text + between +
                  "-7" + between + "12345678999" + between + "\n";
    }
    CHECK(print(shape, rows) == expected);
  }
}

TEST_CASE("lines: a group is left out if a value in it is absent") {
  const std::string shape = "{start+1}[ first={text};{number}!] and[ kind={kind}][ {number}]\n";
  CHECK(print(shape, {example(0, 5, "t")}) == "12345678902 first=t;5! and kind=x 5\n");
  CHECK(print(shape, {example(0, 5, {})}) == "12345678902 and kind=x 5\n");
  CHECK(print(shape, {example(0, {}, "t"), example(0, {}, {})}) == "12345678902 and kind=x\n12345678902 and kind=x\n");
  CHECK(print("{text}|{number}\n", {example(0, {}, {})}) == ".|.\n");
}

}  // namespace basesweep::test_line_formatter
