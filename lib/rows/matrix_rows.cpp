#include "lib/rows/matrix_rows.hpp"

#include <fmt/compile.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string_view>
#include <utility>

#include "lib/base/per_thread.hpp"
#include "lib/rows/column_kinds.hpp"

namespace basesweep {
namespace {

// The score of a row, which MatrixRows::prepare() works out.
struct Scored {
  std::int32_t score = 0;
};

std::int32_t score() { return per_thread<Scored>().score; }

constexpr ColumnMaker<MatrixRows, PlacedHit> column;

char* put_bits(char* to, std::int64_t score) {
  constexpr std::int64_t kSteps = static_cast<std::int64_t>(kScoreSteps);
  const std::int64_t thousandths = ((score < 0 ? -score : score) * 1000 + kSteps / 2) / kSteps;
  if (score < 0 && thousandths != 0) *to++ = '-';
  to = put(to, thousandths / 1000);
  *to++ = '.';
  for (std::int64_t unit = 100; unit != 0; unit /= 10) *to++ = static_cast<char>('0' + thousandths / unit % 10);
  return to;
}

constexpr std::size_t kRealBytes = 32;  // the most that a score or a p-value takes

std::vector<Column> matrix_columns() {
  std::vector<Column> columns{
      column("matrix", ColumnType::text, "the identifier of the matrix",
             [](const MatrixRows& rows, const PlacedHit& hit, Cell& cell) { cell.set(rows.matrix(hit).matrix.id); }),
      maybe(column("name", ColumnType::text, "the name of its factor",
                   [](const MatrixRows& rows, const PlacedHit& hit, Cell& cell) {
                     const std::string& name = rows.matrix(hit).matrix.name;
                     if (!name.empty()) cell.set(name);
                   })),
      column.strand("strand", "- when the reverse complement reaches the threshold",
                    [](const MatrixRows& rows, const PlacedHit& hit) { return rows.query(hit).strand; })};
  for (Column& one : columns) one.by_variant = true;
  column.set_table(
      columns[0], [](const MatrixRows& rows, const PlacedHit& hit, std::uint32_t) { return rows.query(hit).pattern; },
      [](const MatrixRows& rows, std::uint32_t) {
        return texts_of(rows.matrices().matrices(), [](const SearchedMatrix& one) { return one.matrix.id; });
      });
  // Matrices may share a name, or have none.
  column.set_table(
      columns[1], [](const MatrixRows& rows, const PlacedHit& hit, std::uint32_t) { return rows.name_code(hit); },
      [](const MatrixRows& rows, std::uint32_t) { return rows.names(); });
  columns.push_back(column(
      "score", ColumnType::real, "the score in bits, rounded to 3 decimals",
      [](const MatrixRows&, const PlacedHit&, Cell& cell) {
        if (!cell.prints_reals()) return cell.set(score() / kScoreSteps, {});
        std::string& text = cell.memory();
        text.resize(kRealBytes);
        text.resize(static_cast<std::size_t>(put_bits(text.data(), score()) - text.data()));
        cell.set(score() / kScoreSteps, text);
      },
      need::letters | need::scores));
  columns.push_back(column(
      "p_value", ColumnType::real, "the probability that a random word scores as high, with 3 digits",
      [](const MatrixRows& rows, const PlacedHit& hit, Cell& cell) {
        const double p = rows.matrix(hit).p_value(score());
        if (!cell.prints_reals()) return cell.set(p, {});
        std::string& text = cell.memory();
        text.resize(kRealBytes);
        text.resize(static_cast<std::size_t>(fmt::format_to(text.data(), FMT_COMPILE("{:.3g}"), p) - text.data()));
        cell.set(p, text);
      },
      need::letters | need::scores));
  columns.push_back(file_column());
  columns.push_back(column(
      "bed_score", ColumnType::integer, "-100 log10 of the p-value, rounded, at most 1000",
      [](const MatrixRows& rows, const PlacedHit& hit, Cell& cell) {
        const std::int64_t deficit = rows.matrix(hit).matrix.max_score - score();
        cell.set(std::int64_t{rows.bed_score(rows.query(hit).pattern, deficit)});
      },
      need::letters | need::scores));
  columns.back().usual = false;
  columns.push_back(column(
      "matched", ColumnType::text, "the matched text in upper case as the hit's strand reads it",
      [](const MatrixRows& rows, const PlacedHit& hit, Cell& cell) {
        set_stranded(hit.letters, rows.query(hit).strand, cell);
      },
      need::letters));
  return columns;
}

}  // namespace

MatrixRows::MatrixRows(const MatrixSet& matrices, std::vector<std::string> files) : matrices_(matrices) {
  std::map<std::string_view, std::int32_t> code_of_name;
  files_ = std::move(files);
  name_codes_.assign(matrices.matrices().size(), kNoCode);
  for (std::size_t i = 0; i < name_codes_.size(); ++i) {
    const std::string& name = matrices.matrices()[i].matrix.name;
    if (name.empty()) continue;
    const auto [known, fresh] = code_of_name.try_emplace(name, static_cast<std::int32_t>(names_.size()));
    if (fresh) names_.push_back(name);
    name_codes_[i] = known->second;
  }
  columns_ = {record_column(), start_column(), end_column()};
  add(matrix_columns());
}

void MatrixRows::prepare(const Row& row, unsigned needs) const {
  if ((needs & need::scores) == 0) return;
  const auto& hit = static_cast<const PlacedHit&>(row);
  per_thread<Scored>().score = matrices_.score_of(hit.hit.query, hit.letters);
}

void MatrixRows::show_variant(std::size_t variant, const std::function<void(const Row& row)>& use) const {
  PlacedHit hit;
  hit.hit.query = static_cast<std::uint32_t>(variant) & 0x7fffffffU;
  use(hit);
}

LineShape MatrixRows::shape(OutputFormat format) const {
  switch (format) {
    case OutputFormat::bed: return {"", "{record}\t{start}\t{end}\t{matrix}\t{bed_score}\t{strand}{+}\n"};
    case OutputFormat::fimo:
      return {"motif_id\tmotif_alt_id\tsequence_name\tstart\tstop\tstrand\tscore\tp-value\tq-value\tmatched_sequence\n",
              "{matrix}\t[{name}]\t{record}\t{start+1}\t{end}\t{strand}\t{score}\t{p_value}\t\t{matched}{+}\n"};
    case OutputFormat::gff3:
      return {"",
              "{record}\tbasesweep\tnucleotide_motif\t{start+1}\t{end}\t{score}\t{strand}\t.\t"
              "ID={matrix}:{record}:{start+1}-{end}:{strand};Name={matrix}[;Alias={name}];p_value={p_value}{+}\n"};
    default: return {};
  }
}

std::uint16_t MatrixRows::bed_score(std::uint32_t matrix, std::int64_t deficit) const {
  std::call_once(made_scores_, [this] {
    constexpr double kMost = 1000;
    for (const SearchedMatrix& one : matrices_.matrices()) {
      std::vector<std::uint16_t>& scores = scores_.emplace_back();
      for (std::int64_t d = 0; d <= one.tail.max_deficit(); ++d) {
        const double score = one.tail.has_word(d) ? std::round(-100 * std::log10(one.tail.at(d))) : 0;
        scores.push_back(static_cast<std::uint16_t>(std::min(score, kMost)));
      }
    }
  });
  return scores_[matrix][static_cast<std::size_t>(deficit)];
}

std::string print_bits(std::int64_t score) {
  char bytes[kRealBytes];
  return {bytes, put_bits(bytes, score)};
}

std::string print_p_value(double p) { return fmt::format("{:.3g}", p); }

}  // namespace basesweep
