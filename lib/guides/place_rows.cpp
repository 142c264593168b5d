#include "lib/guides/place_rows.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "lib/base/per_thread.hpp"
#include "lib/guides/placed_guide.hpp"
#include "lib/guides/scores.hpp"
#include "lib/rows/column_kinds.hpp"

namespace basesweep {
namespace {

// The alignment of a row, which PlaceRows::prepare() works out.
struct Drawn : AlignedLetters {};

constexpr auto kInteger = ColumnType::integer;
constexpr auto kText = ColumnType::text;

constexpr ColumnMaker<PlaceRows, PlacedGuide> column;

// `dna`, `rna`: the words for the bulges.
std::string_view word_of(Bulge bulge, std::string_view none, std::string_view dna, std::string_view rna) {
  return bulge == Bulge::none ? none : bulge == Bulge::dna ? dna : rna;
}

void set_score(const std::optional<std::uint32_t>& score, Cell& cell) {
  if (!score) return;
  if (!cell.prints_reals()) return cell.set(static_cast<double>(*score) / kFullScore, {});
  std::string& text = cell.memory();
  text.clear();
  append_score(*score, text);
  cell.set(static_cast<double>(*score) / kFullScore, text);
}

std::int64_t bed_score(const PlaceRows& rows, const PlacedGuide& placed) {
  const GuideShape& shape = placed.place.shape;
  const std::size_t bases = rows.guides().guides()[placed.place.guide].letters.size();
  return score_of_edits(std::int64_t{shape.mismatches} + shape.size, static_cast<std::int64_t>(bases));
}

// The columns after record, start and end, and before `file`.
std::vector<Column> place_columns() {
  return {column("guide", kText, "the name of the guide",
                 [](const PlaceRows& rows, const PlacedGuide& placed, Cell& cell) {
                   cell.set(rows.guides().guides()[placed.place.guide].name);
                 }),
          column.strand("strand", "- when the guide matches the reverse complement",
                        [](const PlaceRows&, const PlacedGuide& placed) { return placed.place.strand; }),
          column("bulge", kText, "none; dna: bases of the text that the guide lacks; rna: the other way round",
                 [](const PlaceRows&, const PlacedGuide& placed, Cell& cell) {
                   cell.set(word_of(placed.place.shape.bulge, "none", "dna", "rna"));
                 }),
          column("bulge_size", kInteger, "the bases of the bulge",
                 [](const PlaceRows&, const PlacedGuide& placed, Cell& cell) {
                   cell.set(std::int64_t{placed.place.shape.size});
                 }),
          column("mismatches", kInteger, "the bases of the guide that differ from the text, without those in a bulge",
                 [](const PlaceRows&, const PlacedGuide& placed, Cell& cell) {
                   cell.set(std::int64_t{placed.place.shape.mismatches});
                 }),
          column(
              "aligned_guide", kText, "the guide with its PAM, 5' to 3', with - for gaps",
              [](const PlaceRows&, const PlacedGuide&, Cell& cell) { cell.set(per_thread<Drawn>().pattern); },
              need::letters | need::alignment),
          column(
              "aligned_text", kText, "the text below it, with - for gaps and mismatches in lower case",
              [](const PlaceRows&, const PlacedGuide&, Cell& cell) { cell.set(per_thread<Drawn>().text); },
              need::letters | need::alignment),
          column("pam", kText, "the PAM that matched, the first of those given",
                 [](const PlaceRows& rows, const PlacedGuide& placed, Cell& cell) {
                   cell.set(rows.guides().pams()[placed.place.pam]);
                 }),
          maybe(column(
              "mit", ColumnType::real, "the MIT score of a place without bulge, 0 to 1",
              [](const PlaceRows&, const PlacedGuide& placed, Cell& cell) {
                if (placed.scores) set_score(placed.scores->mit, cell);
              },
              need::scores)),
          maybe(column(
              "cfd", ColumnType::real, "the CFD score, 0 to 1",
              [](const PlaceRows&, const PlacedGuide& placed, Cell& cell) {
                if (placed.scores) set_score(placed.scores->cfd, cell);
              },
              need::scores)),
          maybe(column("features", kText, "the features that the place overlaps, as kind:name",
                       [](const PlaceRows& rows, const PlacedGuide& placed, Cell& cell) {
                         if (placed.features.empty()) return;
                         cell.memory().clear();
                         rows.annotation()->append_names(placed.features, cell.memory());
                         cell.set(cell.memory());
                       }))};
}

void set_tables(std::vector<Column>& columns) {
  column.set_table(
      named(columns, "guide"),
      [](const PlaceRows&, const PlacedGuide& placed, std::uint32_t) { return placed.place.guide; },
      [](const PlaceRows& rows, std::uint32_t) { return texts_of(rows.guides().guides(), &Guide::name); });
  column.set_table(
      named(columns, "bulge"),
      [](const PlaceRows&, const PlacedGuide& placed, std::uint32_t) {
        const Bulge bulge = placed.place.shape.bulge;
        return bulge == Bulge::none ? 0 : bulge == Bulge::dna ? 1 : 2;
      },
      [](const PlaceRows&, std::uint32_t) {
        return std::vector<std::string>{"none", "dna", "rna"};
      });
  column.set_table(
      named(columns, "pam"),
      [](const PlaceRows&, const PlacedGuide& placed, std::uint32_t) { return placed.place.pam; },
      [](const PlaceRows& rows, std::uint32_t) {
        return std::vector<std::string>(rows.guides().pams().begin(), rows.guides().pams().end());
      });
}

}  // namespace

PlaceRows::PlaceRows(const GuideSet& guides, std::vector<std::string> files, const Annotation* annotation)
    : guides_(guides), annotation_(annotation) {
  files_ = std::move(files);
  columns_ = {record_column(), start_column(), end_column()};
  add(place_columns());
  set_tables(columns_);
  if (annotation == nullptr) columns_.back().lacking = "--annotate FILE says which features there are";
  columns_.push_back(file_column());
  columns_.push_back(
      column("bed_score", kInteger, "1000 (1 - (mismatches + size of the bulge) / bases of the guide), rounded half up",
             [](const PlaceRows& rows, const PlacedGuide& placed, Cell& cell) { cell.set(bed_score(rows, placed)); }));
  columns_.back().usual = false;
  add(hidden({column("bulge_type", kText, "", [](const PlaceRows&, const PlacedGuide& placed, Cell& cell) {
    cell.set(word_of(placed.place.shape.bulge, "X", "DNA", "RNA"));
  })}));
}

void PlaceRows::prepare(const Row& row, unsigned needs) const {
  if ((needs & need::alignment) == 0) return;
  const auto& placed = static_cast<const PlacedGuide&>(row);
  auto& drawn = per_thread<Drawn>();
  draw_place(guides_, placed, drawn);
  lower_mismatches(guides_, placed.place, drawn);
}

LineShape PlaceRows::shape(OutputFormat format) const {
  if (format == OutputFormat::bed) {
    return {"", "{record}\t{start}\t{end}\t{guide}\t{bed_score}\t{strand}{+}\n"};
  }
  if (format != OutputFormat::tsv) return {};
  const bool features = annotation_ != nullptr;
  return {
      std::string("#Id\tBulge type\tcrRNA\tDNA\tChromosome\tLocation\tDirection\tMismatches\tBulge Size\tMIT\tCFD") +
          (features ? "\tFeatures\n" : "\n"),
      std::string("{guide}\t{bulge_type}\t{aligned_guide}\t{aligned_text}\t{record}\t{start}\t{strand}\t"
                  "{mismatches}\t{bulge_size}\t{mit}\t{cfd}") +
          (features ? "\t{features}{+}\n" : "{+}\n")};
}

}  // namespace basesweep
