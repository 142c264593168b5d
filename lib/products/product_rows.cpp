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
#include "lib/rows/letters.hpp"

namespace basesweep {
namespace {

// What ProductRows::prepare() works out, of the forward and of the reverse primer.
struct Traced {
  std::array<Tracer, 2> tracers;
  std::array<std::span<const CigarRun>, 2> cigars;
};

using Get = void (*)(const ProductRows& rows, const PlacedProduct& product, Cell& cell);
// `side`: 0 for the forward primer, 1 for the reverse one.
using GetOfSide = void (*)(const ProductRows& rows, const PlacedProduct& product, std::uint32_t side, Cell& cell);

template <Get get>
Column column(const char* name, ColumnType type, const char* meaning, unsigned needs = 0) {
  return {.name = name, .type = type, .meaning = meaning, .get = get_of<ProductRows, PlacedProduct, get>, .needs = needs};
}

template <GetOfSide get>
Column side_column(const char* name, ColumnType type, const char* meaning, unsigned needs = 0) {
  return {.name = name, .type = type, .meaning = meaning, .get = get_of<ProductRows, PlacedProduct, get>, .needs = needs};
}

constexpr auto kInteger = ColumnType::integer;
constexpr auto kText = ColumnType::text;
constexpr auto kReal = ColumnType::real;

const Hit& hit_of(const PlacedProduct& product, std::uint32_t side) {
  return side == 0 ? product.forward() : product.reverse();
}

std::string_view strand_text(Strand strand) { return strand == Strand::plus ? "+" : "-"; }

void set_made(std::string text, Cell& cell) {
  cell.memory() = std::move(text);
  cell.set(cell.memory());
}

void set_stranded(std::string_view letters, Strand strand, Cell& cell) {
  cell.memory().resize(letters.size());
  put_matched(cell.memory().data(), letters, strand);
  cell.set(cell.memory());
}

ProductRows::Temperature temperature(std::optional<double> degrees) {
  return {degrees, degrees ? fmt::format("{:.1f}", *degrees) : ""};
}

void set_melting(const ProductRows::Temperature& melting, Cell& cell) {
  if (melting.degrees) cell.set(*melting.degrees, melting.printed);
}

void set_product_melting(const ProductRows& rows, const PlacedProduct& product, Cell& cell) {
  const std::string_view letters = product.letters;
  const auto gc = std::count_if(letters.begin(), letters.end(), [](char c) { return c == 'G' || c == 'C'; });
  auto melting = temperature(product_melting(letters.size(), static_cast<std::size_t>(gc), rows.details().melting));
  cell.memory() = std::move(melting.printed);
  if (melting.degrees) cell.set(*melting.degrees, cell.memory());
}

void set_cigar(const ProductRows&, const PlacedProduct&, std::uint32_t side, Cell& cell) {
  std::string& text = cell.memory();
  text.clear();
  for (const CigarRun& run : per_thread<Traced>().cigars[side]) {
    fmt::format_to(std::back_inserter(text), "{}{}", run.length, run.op);
  }
  cell.set(text);
}

void set_mismatches(const ProductRows& rows, const PlacedProduct& product, std::uint32_t side, Cell& cell) {
  const Query& query = rows.query(hit_of(product, side));
  std::vector<std::size_t> places;
  std::size_t at = 0;  // of the query, from its left end
  for (const CigarRun& run : per_thread<Traced>().cigars[side]) {
    if (run.op == 'D') continue;
    for (std::uint32_t i = 0; i < run.length; ++i, ++at) {
      if (run.op == 'X') places.push_back(query.strand == Strand::plus ? query.sets.size() - at : at + 1);
    }
  }
  std::sort(places.begin(), places.end());
  if (!places.empty()) set_made(fmt::format("{}", fmt::join(places, ",")), cell);
}

// The columns of a primer.
std::vector<Column> side_columns(std::uint32_t side) {
  std::vector<Column> columns{
      side_column<[](const ProductRows& rows, const PlacedProduct& product, std::uint32_t of, Cell& cell) {
        const PrimerSet& primers = rows.primers();
        cell.set((of == 0 ? primers.forward(product.join) : primers.reverse(product.join)).name);
      }>("", kText, "the name of the {} primer"),
      side_column<[](const ProductRows&, const PlacedProduct& product, std::uint32_t of, Cell& cell) {
        cell.set(product.start_of(hit_of(product, of)));
      }>("_start", kInteger, "the first base of its site, on the forward strand, counted from 0"),
      side_column<[](const ProductRows&, const PlacedProduct& product, std::uint32_t of, Cell& cell) {
        cell.set(product.start_of(hit_of(product, of)) + hit_of(product, of).length);
      }>("_end", kInteger, "the base after the last of its site"),
      side_column<[](const ProductRows&, const PlacedProduct& product, std::uint32_t of, Cell& cell) {
        cell.set(std::int64_t{hit_of(product, of).edits});
      }>("_edits", kInteger, "its mismatches, inserted and deleted bases together"),
      side_column<set_cigar>("_cigar", ColumnType::cigar, "its alignment along the forward strand",
                             need::letters | need::alignment),
      side_column<set_mismatches>("_mismatches", kText,
                                  "its mismatched bases, counted from its 3' end from 1, the nearest first",
                                  need::letters | need::alignment),
      side_column<[](const ProductRows& rows, const PlacedProduct& product, std::uint32_t of, Cell& cell) {
        set_melting(rows.melting(hit_of(product, of)), cell);
      }>("_tm", kReal, "its melting temperature in degrees Celsius")};
  const std::string name = side == 0 ? "forward" : "reverse";
  for (Column& one : columns) {
    one.name = name + one.name;
    one.index = side;
  }
  columns.front().meaning = fmt::format("the name of the {} primer", name);
  return columns;
}

std::vector<Column> probe_columns() {
  return {column<[](const ProductRows&, const PlacedProduct& product, Cell& cell) {
            if (product.probe) cell.set(product.start_of(*product.probe));
          }>("probe_start", kInteger, "the first base of the probe's best site, counted from 0"),
          column<[](const ProductRows&, const PlacedProduct& product, Cell& cell) {
            if (product.probe) cell.set(product.start_of(*product.probe) + product.probe->length);
          }>("probe_end", kInteger, "the base after its last"),
          column<[](const ProductRows& rows, const PlacedProduct& product, Cell& cell) {
            if (product.probe) cell.set(strand_text(rows.query(*product.probe).strand));
          }>("probe_strand", ColumnType::strand, "- when its reverse complement matches"),
          column<[](const ProductRows&, const PlacedProduct& product, Cell& cell) {
            if (product.probe) cell.set(std::int64_t{product.probe->edits});
          }>("probe_edits", kInteger, "its mismatches, inserted and deleted bases together")};
}

// 1000 (1 - edits / bases of both primers), rounded half up.
std::int64_t score_of(const ProductRows& rows, const PlacedProduct& product) {
  constexpr std::int64_t kFull = 1000;
  const auto bases =
      static_cast<std::int64_t>(rows.query(product.left).sets.size() + rows.query(product.right).sets.size());
  return (2 * kFull * (bases - product.edits()) + bases) / (2 * bases);
}

// Whether BED shows the primers as two blocks: they do not touch.
bool two_blocks(const PlacedProduct& product) {
  return std::int64_t{product.left.length} + product.right.length < product.size();
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

// The start of ProductDetails::part. Like a product, an insert starts inside a circular record.
std::int64_t part_start(const ProductRows& rows, const PlacedProduct& product) {
  if (rows.details().part != ProductPart::insert) return product.start;
  const std::int64_t start = product.start + product.left.length;
  return product.circular_length != 0 && start >= product.circular_length ? start - product.circular_length : start;
}

// The columns that formats need and nobody chooses.
std::vector<Column> hidden_columns() {
  std::vector<Column> columns{
      column<[](const ProductRows&, const PlacedProduct& product, Cell& cell) {
        cell.set(std::int64_t{product.left.length});
      }>("left_length", kInteger, ""),
      // Blocks of BED.
      column<[](const ProductRows&, const PlacedProduct& product, Cell& cell) {
        cell.set(std::int64_t{two_blocks(product) ? 2 : 1});
      }>("block_count", kInteger, ""),
      column<[](const ProductRows&, const PlacedProduct& product, Cell& cell) {
        set_made(two_blocks(product) ? fmt::format("{},{}", product.left.length, product.right.length)
                                     : fmt::format("{}", product.size()),
                 cell);
      }>("block_sizes", kText, ""),
      column<[](const ProductRows&, const PlacedProduct& product, Cell& cell) {
        set_made(two_blocks(product) ? fmt::format("0,{}", product.size() - product.right.length) : "0", cell);
      }>("block_starts", kText, ""),
      // What FASTA shows.
      column<[](const ProductRows& rows, const PlacedProduct& product, Cell& cell) {
        cell.set(part_start(rows, product));
      }>("part_start", kInteger, "", need::letters),
      column<[](const ProductRows& rows, const PlacedProduct& product, Cell& cell) {
        const bool insert = rows.details().part == ProductPart::insert;
        cell.set(insert ? part_start(rows, product) + static_cast<std::int64_t>(part_of(rows, product).size())
                        : product.end);
      }>("part_end", kInteger, "", need::letters),
      column<[](const ProductRows& rows, const PlacedProduct& product, Cell& cell) {
        cell.set(static_cast<std::int64_t>(part_of(rows, product).size()));
      }>("part_size", kInteger, "", need::letters),
      column<[](const ProductRows& rows, const PlacedProduct& product, Cell& cell) {
        set_stranded(part_of(rows, product), product.join.strand, cell);
      }>("part", kText, "", need::letters)};
  for (Column& one : columns) one.hidden = true;
  return columns;
}

}  // namespace

ProductRows::ProductRows(const PrimerSet& primers, const PatternSet& patterns, ProductDetails details)
    : primers_(primers), patterns_(patterns), details_(std::move(details)) {
  files_ = details_.files;
  for (const Pattern& pattern : patterns.patterns()) {
    melting_.push_back(temperature(primer_melting(pattern.sequence, details_.melting)));
  }
  const auto add = [this](std::vector<Column> columns) {
    std::move(columns.begin(), columns.end(), std::back_inserter(columns_));
  };
  add({record_column(), start_column(), end_column(),
       column<[](const ProductRows& rows, const PlacedProduct& product, Cell& cell) {
         set_made(rows.primers().name(product.join), cell);
       }>("pair", kText, "the name of the pair; with --pool those of both primers, as a/b"),
       column<[](const ProductRows&, const PlacedProduct& product, Cell& cell) {
         cell.set(strand_text(product.join.strand));
       }>("strand", ColumnType::strand, "+ when the forward primer is the left one"),
       column<[](const ProductRows&, const PlacedProduct& product, Cell& cell) { cell.set(product.size()); }>(
           "size", kInteger, "bases, primers included")});
  add(side_columns(0));
  add(side_columns(1));
  add({column<[](const ProductRows&, const PlacedProduct& product, Cell& cell) {
         cell.set(std::int64_t{product.edits()});
       }>("edits", kInteger, "of both primers together"),
       column<[](const ProductRows& rows, const PlacedProduct& product, Cell& cell) {
         cell.set(score_of(rows, product));
       }>("bed_score", kInteger, "1000 (1 - edits / bases of both primers), rounded half up")});
  for (Column& one : std::span(columns_).last(2)) one.usual = false;
  add(probe_columns());
  if (!primers.has_probes()) {
    for (Column& one : std::span(columns_).last(4)) one.lacking = "no pair has a probe";
  }
  add({column<set_product_melting>("product_tm", kReal, "the product's melting temperature in degrees Celsius",
                                   need::letters),
       file_column(),
       column<[](const ProductRows&, const PlacedProduct& product, Cell& cell) {
         set_stranded(product.letters, product.join.strand, cell);
       }>("matched", kText, "the product in upper case as its strand reads it, U as T", need::letters)});
  add(hidden_columns());
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

Shape ProductRows::shape(OutputFormat format) const {
  switch (format) {
    case OutputFormat::bed:
      return {"", "{record}\t{start}\t{end}\t{pair}\t{bed_score}\t{strand}\t{start}\t{end}\t0\t{block_count}\t"
                  "{block_sizes}\t{block_starts}{+}\n"};
    case OutputFormat::gff3:
      // The identifier is made of what tells products apart, so it does not depend on the other products.
      return {"", "{record}\tbasesweep\tPCR_product\t{start+1}\t{end}\t{bed_score}\t{strand}\t.\t"
                  "ID={pair}:{record}:{strand}:{start+1}-{end}:{forward}:{reverse}:{left_length};Name={pair};"
                  "size={size};forward={forward};reverse={reverse};forward_edits={forward_edits};"
                  "reverse_edits={reverse_edits}{+}\n"};
    case OutputFormat::fasta:
      return {"", ">{record}:{part_start}-{part_end}({strand}) size={part_size} edits={edits}{+} pair={pair}\n{part}\n"};
    default: return {};
  }
}

}  // namespace basesweep
