#include "lib/products/product_rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>
#include <string_view>
#include <utility>

#include "lib/align/trace.hpp"
#include "lib/base/iupac_letters.hpp"
#include "lib/base/per_thread.hpp"
#include "lib/rows/column_kinds.hpp"

namespace basesweep {
namespace {

// The alignments of the forward and of the reverse primer, which ProductRows::prepare() works out.
struct Traced {
  std::array<Tracer, 2> tracers;
  std::array<std::span<const CigarRun>, 2> cigars;
};

constexpr ColumnMaker<ProductRows, PlacedProduct> column;

constexpr auto kInteger = ColumnType::integer;
constexpr auto kText = ColumnType::text;
constexpr auto kReal = ColumnType::real;

const Hit& hit_of(const PlacedProduct& product, std::uint32_t side) {
  return side == 0 ? product.forward() : product.reverse();
}

const PrimerSet::Primer& primer_of(const ProductRows& rows, const PlacedProduct& product, std::uint32_t side) {
  return side == 0 ? rows.primers().forward(product.join) : rows.primers().reverse(product.join);
}

ProductRows::Temperature temperature(std::optional<double> degrees) {
  return {degrees, degrees ? fmt::format("{:.1f}", *degrees) : ""};
}

void set_melting(const ProductRows::Temperature& melting, Cell& cell) {
  if (melting.degrees) cell.set(*melting.degrees, melting.printed);
}

// Sets the temperature of a product of these letters.
void set_melting(std::string_view letters, const MeltingConditions& conditions, Cell& cell) {
  const auto gc = std::count_if(letters.begin(), letters.end(), [](char c) { return c == 'G' || c == 'C'; });
  const std::optional<double> degrees = product_melting(letters.size(), static_cast<std::size_t>(gc), conditions);
  if (!cell.prints_reals()) {
    if (degrees) cell.set(*degrees, {});
    return;
  }
  auto melting = temperature(degrees);
  cell.memory() = std::move(melting.printed);
  if (melting.degrees) cell.set(*melting.degrees, cell.memory());
}

void set_mismatches(std::span<const CigarRun> cigar, const Query& query, Cell& cell) {
  std::vector<std::size_t> places;
  std::size_t at = 0;  // of the query, from its left end
  for (const CigarRun& run : cigar) {
    if (run.op == 'D') continue;
    for (std::uint32_t i = 0; i < run.length; ++i, ++at) {
      if (run.op == 'X') places.push_back(query.strand == Strand::plus ? query.sets.size() - at : at + 1);
    }
  }
  std::sort(places.begin(), places.end());
  if (!places.empty()) set_made(fmt::format("{}", fmt::join(places, ",")), cell);
}

// The columns of the forward primer, 0, or the reverse one, 1.
std::vector<Column> primer_columns(std::uint32_t index) {
  std::vector<Column> columns{
      column("", kText, "",
             [](const ProductRows& rows, const PlacedProduct& product, std::uint32_t side, Cell& cell) {
               cell.set(primer_of(rows, product, side).name);
             }),
      column("_start", kInteger, "the first base of its site, on the forward strand, counted from 0",
             [](const ProductRows&, const PlacedProduct& product, std::uint32_t side, Cell& cell) {
               cell.set(product.start_of(hit_of(product, side)));
             }),
      column("_end", kInteger, "the base after the last of its site",
             [](const ProductRows&, const PlacedProduct& product, std::uint32_t side, Cell& cell) {
               cell.set(product.start_of(hit_of(product, side)) + hit_of(product, side).length);
             }),
      column("_edits", kInteger, "its mismatches, inserted and deleted bases together",
             [](const ProductRows&, const PlacedProduct& product, std::uint32_t side, Cell& cell) {
               cell.set(std::int64_t{hit_of(product, side).edits});
             }),
      column(
          "_cigar", ColumnType::cigar, "its alignment along the forward strand",
          [](const ProductRows&, const PlacedProduct&, std::uint32_t side, Cell& cell) {
            set_cigar(per_thread<Traced>().cigars[side], cell);
          },
          need::letters | need::alignment),
      maybe(column(
          "_mismatches", kText, "its mismatched bases, counted from its 3' end from 1, the nearest first",
          [](const ProductRows& rows, const PlacedProduct& product, std::uint32_t side, Cell& cell) {
            set_mismatches(per_thread<Traced>().cigars[side], rows.query(hit_of(product, side)), cell);
          },
          need::letters | need::alignment)),
      maybe(column("_tm", kReal, "its melting temperature in degrees Celsius",
                   [](const ProductRows& rows, const PlacedProduct& product, std::uint32_t side, Cell& cell) {
                     set_melting(rows.melting(hit_of(product, side)), cell);
                   }))};
  const std::string name = index == 0 ? "forward" : "reverse";
  for (Column& one : columns) {
    one.name = name + one.name;
    one.index = index;
  }
  columns.front().meaning = fmt::format("the name of the {} primer", name);
  return columns;
}

std::vector<Column> probe_columns() {
  return {maybe(column("probe_start", kInteger, "the first base of the probe's best site, counted from 0",
                       [](const ProductRows&, const PlacedProduct& product, Cell& cell) {
                         if (product.probe) cell.set(product.start_of(*product.probe));
                       })),
          maybe(column("probe_end", kInteger, "the base after its last",
                       [](const ProductRows&, const PlacedProduct& product, Cell& cell) {
                         if (product.probe) cell.set(product.start_of(*product.probe) + product.probe->length);
                       })),
          maybe(column.strand("probe_strand", "- when its reverse complement matches",
                              [](const ProductRows& rows, const PlacedProduct& product) {
                                return product.probe ? static_cast<std::int32_t>(rows.query(*product.probe).strand)
                                                     : kNoCode;
                              })),
          maybe(column("probe_edits", kInteger, "its mismatches, inserted and deleted bases together",
                       [](const ProductRows&, const PlacedProduct& product, Cell& cell) {
                         if (product.probe) cell.set(std::int64_t{product.probe->edits});
                       }))};
}

// Gives the columns of names their tables.
void set_tables(const PrimerSet& primers, std::vector<Column>& columns) {
  if (!primers.options().pool) {  // of a pool, any two primers make a name
    column.set_table(
        named(columns, "pair"),
        [](const ProductRows&, const PlacedProduct& product, std::uint32_t) { return product.join.first; },
        [](const ProductRows& rows, std::uint32_t) { return texts_of(rows.primers().pairs(), &PrimerPair::name); });
  }
  for (const char* const name : {"forward", "reverse"}) {
    column.set_table(
        named(columns, name),
        [](const ProductRows& rows, const PlacedProduct& product, std::uint32_t side) {
          return &primer_of(rows, product, side) - rows.primers().primers().data();
        },
        [](const ProductRows& rows, std::uint32_t) {
          return texts_of(rows.primers().primers(), &PrimerSet::Primer::name);
        });
  }
}

std::int64_t score_of(const ProductRows& rows, const PlacedProduct& product) {
  const std::size_t bases = rows.query(product.left).sets.size() + rows.query(product.right).sets.size();
  return score_of_edits(product.edits(), static_cast<std::int64_t>(bases));
}

// Memory that is kept from one product to the next.
struct Amplified {
  std::string letters;
};

// The letters of ProductDetails::part, forward strand.
std::string_view part_of(const ProductRows& rows, const PlacedProduct& product) {
  const ProductPart part = rows.details().part;
  if (part == ProductPart::product) return product.letters;
  const std::size_t begin = product.left.length;
  const std::size_t end = product.letters.size() - product.right.length;
  const std::string_view insert = begin < end ? product.letters.substr(begin, end - begin) : std::string_view();
  if (part == ProductPart::insert) return insert;
  if (begin > end) return product.letters;  // primers that overlap leave no room for both, so the text itself is shown
  auto& built = per_thread<Amplified>().letters;
  built.clear();
  for (const BaseSet set : rows.query(product.left).sets) built += iupac_letter(set);
  built += insert;
  for (const BaseSet set : rows.query(product.right).sets) built += iupac_letter(set);
  return built;
}

// The place of ProductDetails::part, which has this size. Like a product, an insert starts inside a circular record.
std::string part_place(const ProductRows& rows, const PlacedProduct& product, std::size_t size) {
  if (rows.details().part != ProductPart::insert) return fmt::format("{}-{}", product.start, product.end);
  std::int64_t start = product.start + product.left.length;
  if (product.circular_length != 0 && start >= product.circular_length) start -= product.circular_length;
  return fmt::format("{}-{}", start, start + static_cast<std::int64_t>(size));
}

// The last fields of BED: the primers are two blocks unless they touch.
std::string blocks_of(const PlacedProduct& product) {
  const std::uint32_t left = product.left.length;
  const std::uint32_t right = product.right.length;
  const std::int64_t size = product.size();
  if (std::int64_t{left} + right >= size) return fmt::format("1\t{}\t0", size);
  return fmt::format("2\t{},{}\t0,{}", left, right, size - right);
}

// The columns that formats need and nobody chooses.
std::vector<Column> hidden_columns() {
  return hidden(
      {column("left_length", kInteger, "",
              [](const ProductRows&, const PlacedProduct& product, Cell& cell) {
                cell.set(std::int64_t{product.left.length});
              }),
       column("blocks", kText, "",
              [](const ProductRows&, const PlacedProduct& product, Cell& cell) { set_made(blocks_of(product), cell); }),
       column(
           "part_place", kText, "",
           [](const ProductRows& rows, const PlacedProduct& product, Cell& cell) {
             set_made(part_place(rows, product, part_of(rows, product).size()), cell);
           },
           need::letters),
       column(
           "part_size", kInteger, "",
           [](const ProductRows& rows, const PlacedProduct& product, Cell& cell) {
             cell.set(static_cast<std::int64_t>(part_of(rows, product).size()));
           },
           need::letters),
       column(
           "part", kText, "",
           [](const ProductRows& rows, const PlacedProduct& product, Cell& cell) {
             set_stranded(part_of(rows, product), product.join.strand, cell);
           },
           need::letters)});
}

}  // namespace

ProductRows::ProductRows(const PrimerSet& primers, const PatternSet& patterns, ProductDetails details)
    : primers_(primers), patterns_(patterns), details_(std::move(details)) {
  files_ = details_.files;
  for (const Pattern& pattern : patterns.patterns()) {
    melting_.push_back(temperature(primer_melting(pattern.sequence, details_.melting)));
  }
  add({record_column(), start_column(), end_column(),
       column("pair", kText, "the name of the pair; with --pool those of both primers, as a/b",
              [](const ProductRows& rows, const PlacedProduct& product, Cell& cell) {
                set_made(rows.primers().name(product.join), cell);
              }),
       column.strand("strand", "+ when the forward primer is the left one",
                     [](const ProductRows&, const PlacedProduct& product) { return product.join.strand; }),
       column("size", kInteger, "bases, primers included",
              [](const ProductRows&, const PlacedProduct& product, Cell& cell) { cell.set(product.size()); })});
  add(primer_columns(0));
  add(primer_columns(1));
  add({column("edits", kInteger, "those of both primers together",
              [](const ProductRows&, const PlacedProduct& product, Cell& cell) {
                cell.set(std::int64_t{product.edits()});
              }),
       column("bed_score", kInteger, "1000 (1 - edits / bases of both primers), rounded half up",
              [](const ProductRows& rows, const PlacedProduct& product, Cell& cell) {
                cell.set(score_of(rows, product));
              })});
  for (Column& one : std::span(columns_).last(2)) one.usual = false;
  add(probe_columns());
  if (!primers.has_probes()) {
    for (Column& one : std::span(columns_).last(4)) one.lacking = "no pair has a probe";
  }
  add({maybe(column(
           "product_tm", kReal, "the product's melting temperature in degrees Celsius",
           [](const ProductRows& rows, const PlacedProduct& product, Cell& cell) {
             set_melting(product.letters, rows.details().melting, cell);
           },
           need::letters)),
       file_column(),
       column(
           "matched", kText, "the product in upper case as its strand reads it, U as T",
           [](const ProductRows&, const PlacedProduct& product, Cell& cell) {
             set_stranded(product.letters, product.join.strand, cell);
           },
           need::letters)});
  add(hidden_columns());
  set_tables(primers, columns_);
}

void ProductRows::prepare(const Row& row, unsigned needs) const {
  if ((needs & need::alignment) == 0) return;
  const auto& product = static_cast<const PlacedProduct&>(row);
  auto& traced = per_thread<Traced>();
  for (const std::uint32_t side : {0U, 1U}) {
    const Hit& hit = hit_of(product, side);
    traced.cigars[side] = traced.tracers[side].trace(query(hit), product.letters_of(hit), hit);
  }
}

LineShape ProductRows::shape(OutputFormat format) const {
  switch (format) {
    case OutputFormat::bed:
      return {"", "{record}\t{start}\t{end}\t{pair}\t{bed_score}\t{strand}\t{start}\t{end}\t0\t{blocks}{+}\n"};
    case OutputFormat::gff3:
      // The identifier is made of what tells products apart, so it does not depend on the other products.
      return {"",
              "{record}\tbasesweep\tPCR_product\t{start+1}\t{end}\t{bed_score}\t{strand}\t.\t"
              "ID={pair}:{record}:{strand}:{start+1}-{end}:{forward}:{reverse}:{left_length};Name={pair};"
              "size={size};forward={forward};reverse={reverse};forward_edits={forward_edits};"
              "reverse_edits={reverse_edits}{+}\n"};
    case OutputFormat::fasta:
      return {"", ">{record}:{part_place}({strand}) size={part_size} edits={edits}{+} pair={pair}\n{part}\n"};
    default: return {};
  }
}

}  // namespace basesweep
