#include "lib/guides/guide_rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "lib/base/fields.hpp"
#include "lib/guides/scores.hpp"
#include "lib/rows/column_kinds.hpp"

namespace basesweep {
namespace {

constexpr auto kInteger = ColumnType::integer;
constexpr auto kText = ColumnType::text;

constexpr ColumnMaker<GuideTableRows, GuideTableRow> column;

// A column that shares its function with others.
Column indexed(Column one, std::size_t index) {
  one.index = static_cast<std::uint32_t>(index);
  return one;
}

bool has_exact(const GuideTotals& totals) { return !totals.nearest.empty() && totals.nearest.front().exact(); }

// The nearest place but the first exact copy, which is the guide's own; null: there is none.
const NearPlace* worst(const GuideTableRow& row) {
  const std::vector<NearPlace>& nearest = row.totals->nearest;
  const std::size_t index = has_exact(*row.totals) ? 1 : 0;
  return index < nearest.size() ? &nearest[index] : nullptr;
}

void set_percent(const std::optional<std::uint32_t>& score, Cell& cell) {
  constexpr double kPercent = 100;
  if (!score) return;
  std::string& text = cell.memory();
  text.clear();
  append_percent(*score, text);
  cell.set(kPercent * *score / kFullScore, text);
}

// Green from 80 % on, yellow from 50 %, red below; grey without a score.
std::string_view color_of(const std::optional<std::uint32_t>& specificity) {
  constexpr std::uint64_t kPercent = 100, kGood = 80, kFair = 50;
  if (!specificity) return "128,128,128";
  const std::uint64_t percents = kPercent * *specificity;
  return percents >= kGood * kFullScore ? "0,128,0" : percents >= kFair * kFullScore ? "200,160,0" : "200,0,0";
}

// "gene=3,exon=1": the kinds that some place overlaps.
void set_feature_counts(const GuideTableRows& rows, const GuideTableRow& row, Cell& cell) {
  std::string& text = cell.memory();
  text.clear();
  const std::vector<std::uint64_t>& counts = row.totals->features;
  for (std::size_t kind = 0; kind < counts.size(); ++kind) {
    if (counts[kind] == 0) continue;
    text += fmt::format("{}{}={}", text.empty() ? "" : ",", rows.annotation().kinds()[kind], counts[kind]);
  }
  if (!text.empty()) cell.set(text);
}

// The columns after the counts that all tables have.
std::vector<Column> total_columns() {
  return {maybe(column("mit_specificity", ColumnType::real,
                       "100 / (1 + the sum of the MIT scores of all places but one exact copy)",
                       [](const GuideTableRows&, const GuideTableRow& row, Cell& cell) {
                         set_percent(row.totals->mit_specificity(row.scored), cell);
                       })),
          maybe(column("cfd_specificity", ColumnType::real, "the same with CFD scores",
                       [](const GuideTableRows&, const GuideTableRow& row, Cell& cell) {
                         set_percent(row.totals->cfd_specificity(row.scored), cell);
                       })),
          column("unique", kText, "yes: the guide has one exact copy and no other place",
                 [](const GuideTableRows&, const GuideTableRow& row, Cell& cell) {
                   const bool unique = has_exact(*row.totals) && row.totals->places() == 1;
                   cell.set(unique ? std::string_view("yes") : std::string_view("no"));
                 }),
          maybe(column("worst_place", kText,
                       "of the places but one exact copy (of a designed guide: its own), the one with the least bulge, "
                       "then the fewest mismatches, then the "
                       "first: record:start-end(strand)",
                       [](const GuideTableRows&, const GuideTableRow& row, Cell& cell) {
                         const NearPlace* const place = worst(row);
                         if (place == nullptr) return;
                         cell.memory().clear();
                         append_place(place->record_name, place->start, place->end, strand_letter(place->strand),
                                      cell.memory());
                         cell.set(cell.memory());
                       })),
          maybe(column("worst_mismatches", kInteger, "its mismatches",
                       [](const GuideTableRows&, const GuideTableRow& row, Cell& cell) {
                         if (const NearPlace* const place = worst(row)) cell.set(std::int64_t{place->mismatches});
                       })),
          maybe(column("worst_bulge", kInteger, "the size of its bulge",
                       [](const GuideTableRows&, const GuideTableRow& row, Cell& cell) {
                         if (const NearPlace* const place = worst(row)) cell.set(std::int64_t{place->bulge_size});
                       }))};
}

// What genome browsers draw a designed guide by: its CFD specificity.
std::vector<Column> drawn_columns() {
  return {column("bed_score", kInteger, "",
                 [](const GuideTableRows&, const GuideTableRow& row, Cell& cell) {
                   constexpr std::uint64_t kMost = 1000;
                   cell.set(static_cast<std::int64_t>(kMost * row.totals->cfd_specificity(row.scored).value_or(0) /
                                                      kFullScore));
                 }),
          column("color", kText, "", [](const GuideTableRows&, const GuideTableRow& row, Cell& cell) {
            cell.set(color_of(row.totals->cfd_specificity(row.scored)));
          })};
}

// The columns that only some tables have.
std::vector<Column> other_columns(const GuideRowForm& form) {
  std::vector<Column> columns{
      maybe(column("worst_features", kText, "the features that the worst place overlaps, as kind:name",
                   [](const GuideTableRows&, const GuideTableRow& row, Cell& cell) {
                     const NearPlace* const place = worst(row);
                     if (place != nullptr && place->features != ".") cell.set(place->features);
                   })),
      maybe(column("features", kText, "by kind how many places overlap a feature",
                   [](const GuideTableRows& rows, const GuideTableRow& row, Cell& cell) {
                     set_feature_counts(rows, row, cell);
                   })),
      column("region", kText, "the region's name in the BED file, or record:from-to",
             [](const GuideTableRows&, const GuideTableRow& row, Cell& cell) { cell.set(row.region); })};
  if (form.annotation == nullptr) {
    columns[0].lacking = columns[1].lacking = "--annotate FILE says which features there are";
  }
  if (!form.regions) columns[2].lacking = "only --design --top with regions knows it";
  return columns;
}

// Gives each column a name of its own, since an object of JSON cannot have two of a name. `inputs`: how many columns
// are those of the input, which come first and get other names.
void rename_inputs(std::size_t inputs, std::vector<Column>& columns) {
  for (std::size_t i = 0; i < inputs; ++i) {
    const auto is_taken = [&](const Column& other) {
      const auto at = static_cast<std::size_t>(&other - columns.data());
      return (at < i || at >= inputs) && other.is_usual() && other.name == columns[i].name;
    };
    while (std::any_of(columns.begin(), columns.end(), is_taken)) columns[i].name.insert(0, "input_");
  }
}

}  // namespace

std::string print_without_copy(std::uint64_t without, std::uint64_t guides, const std::string& where) {
  return fmt::format("{} of {} guides {} no exact copy in {}", without, guides, without == 1 ? "has" : "have", where);
}

std::vector<std::string> count_columns(const GuideRowForm& form) {
  std::vector<std::string> names;
  for (std::uint32_t size = 0; size <= form.max_bulge; ++size) {
    for (std::uint32_t mismatches = 0; mismatches <= form.mismatches; ++mismatches) {
      names.push_back(size == 0 ? fmt::format("mismatches_{}", mismatches)
                                : fmt::format("bulge_{}_mismatches_{}", size, mismatches));
    }
  }
  return names;
}

GuideTableRows::GuideTableRows(const GuideRowForm& form) : annotation_(form.annotation), designed_(form.designed) {
  const auto text = [](const GuideTableRows&, const GuideTableRow& row, std::uint32_t index, Cell& cell) {
    cell.set(row.input[index]);
  };
  const auto number = [](const GuideTableRows&, const GuideTableRow& row, std::uint32_t index, Cell& cell) {
    std::int64_t value = 0;
    if (parse_number(row.input[index], value)) cell.set(value);
  };
  for (const auto& [name, type, meaning] : form.input) {
    Column own = type == kInteger ? column(name, type, meaning, number) : column(name, type, meaning, text);
    columns_.push_back(indexed(std::move(own), columns_.size()));
  }
  columns_.push_back(column("places", kInteger, "all places, the exact copies too",
                            [](const GuideTableRows&, const GuideTableRow& row, Cell& cell) {
                              cell.set(static_cast<std::int64_t>(row.totals->places()));
                            }));
  const auto count = [](const GuideTableRows&, const GuideTableRow& row, std::uint32_t index, Cell& cell) {
    cell.set(static_cast<std::int64_t>(row.totals->counts[index]));
  };
  const std::vector<std::string> counts = count_columns(form);
  for (std::size_t i = 0; i < counts.size(); ++i) {
    columns_.push_back(
        indexed(column(counts[i], kInteger, "places by the size of their bulge and their mismatches", count), i));
  }
  add(total_columns());
  add(other_columns(form));
  if (designed_) add(hidden(drawn_columns()));
  rename_inputs(form.input.size(), columns_);
}

LineShape GuideTableRows::shape(OutputFormat format) const {
  if (format != OutputFormat::bed || !designed_) return {};
  return {"", "{record}\t{start}\t{end}\t{sequence}\t{bed_score}\t{strand}\t{start}\t{end}\t{color}\n"};
}

}  // namespace basesweep
