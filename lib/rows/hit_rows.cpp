#include "lib/rows/hit_rows.hpp"

#include <fmt/format.h>

#include <utility>

#include "lib/align/overhangs.hpp"
#include "lib/align/trace.hpp"
#include "lib/base/per_thread.hpp"
#include "lib/rows/aligned_letters.hpp"
#include "lib/rows/column_kinds.hpp"
#include "lib/search/packed_batch.hpp"

namespace basesweep {
namespace {

// The alignment of a row, which HitRows::prepare() works out.
struct Traced {
  Tracer tracer;
  std::span<const CigarRun> cigar;
  CigarRun exact{};  // the whole alignment of a hit of an exact search
};

constexpr ColumnMaker<HitRows, PlacedHit> column;

void set_flank(const HitRows& rows, const PlacedHit& hit, Strand left_on, Cell& cell) {
  const Strand strand = rows.query(hit).strand;
  set_stranded(strand == left_on ? hit.left : hit.right, strand, cell);
}

std::string& draw(const HitRows& rows, const PlacedHit& hit, std::string AlignedLetters::*line) {
  auto& letters = per_thread<AlignedLetters>();
  draw_alignment(rows.query(hit), hit.letters, per_thread<Traced>().cigar, letters);
  return letters.*line;
}

PatternPart inside(const HitRows& rows, const PlacedHit& hit) { return part_inside(rows.query(hit), hit.hit); }

constexpr auto kInteger = ColumnType::integer;
constexpr auto kText = ColumnType::text;

// A column of numbers that depend on the hit alone.
template <class OfHit>
Column number_column(const char* name, const char* meaning, OfHit /*of_hit*/) {
  Column one = column(name, kInteger, meaning, [](const HitRows& rows, const PlacedHit& hit, Cell& cell) {
    cell.set(std::int64_t{OfHit{}(rows, hit.hit)});
  });
  one.of_hits = [](const Rows& rows, const PackedBatch&, std::span<const Hit> hits, CellArray& to) {
    CellArray own = to;  // a local one stays in registers
    for (const Hit& hit : hits) own.put(std::int64_t{OfHit{}(static_cast<const HitRows&>(rows), hit)});
    to = own;
  };
  return one;
}

EditKinds kinds(const HitRows& rows, const Hit& hit) { return edit_kinds(hit, rows.patterns().queries()[hit.query]); }

// Column::of_hits of `cigar` in an exact search.
void add_whole_cigars(const Rows&, const PackedBatch&, std::span<const Hit> hits, CellArray& to) {
  CellArray own = to;
  Cell cell;
  CigarRun whole{0, '='};
  for (const Hit& hit : hits) {
    if (hit.length != whole.length) {
      whole.length = hit.length;
      set_cigar(std::span(&whole, 1), cell);
    }
    own.put_text(cell.text());
  }
  to = own;
}

// The columns of an approximate search that all hits have.
std::vector<Column> edit_columns() {
  return {
      number_column("edits", "mismatches, inserted and deleted bases together",
                    [](const HitRows&, const Hit& hit) { return hit.edits; }),
      number_column("indels", "the inserted and deleted bases among the edits",
                    [](const HitRows&, const Hit& hit) { return hit.indels; }),
      number_column("mismatches", "the other edits",
                    [](const HitRows& rows, const Hit& hit) { return kinds(rows, hit).mismatches; }),
      number_column("insertions", "bases of the pattern that the text lacks, I in CIGAR",
                    [](const HitRows& rows, const Hit& hit) { return kinds(rows, hit).insertions; }),
      number_column("deletions", "bases of the text that the pattern lacks, D in CIGAR",
                    [](const HitRows& rows, const Hit& hit) { return kinds(rows, hit).deletions; }),
      column(
          "cigar", ColumnType::cigar,
          "the alignment along the forward strand: = match, X mismatch, I a base of the pattern that the text lacks, "
          "D one that the pattern lacks, S a base of the pattern outside of the record",
          [](const HitRows&, const PlacedHit&, Cell& cell) { set_cigar(per_thread<Traced>().cigar, cell); },
          need::letters | need::alignment),
      column("pattern_start", kInteger,
             "the first base of the pattern inside the record, in the pattern's own direction, counted from 0",
             [](const HitRows& rows, const PlacedHit& hit, Cell& cell) {
               cell.set(std::int64_t{inside(rows, hit).begin});
             }),
      column(
          "pattern_end", kInteger, "the base of the pattern after the last inside the record",
          [](const HitRows& rows, const PlacedHit& hit, Cell& cell) { cell.set(std::int64_t{inside(rows, hit).end}); }),
      maybe(column("best", kInteger, "how many hits of the record are as good",
                   [](const HitRows&, const PlacedHit& hit, Cell& cell) {
                     if (hit.standing.best != 0) cell.set(static_cast<std::int64_t>(hit.standing.best));
                   })),
      maybe(column("next_edits", kInteger,
                   "the fewest edits of another site, that overlaps no best one of its pattern and strand",
                   [](const HitRows&, const PlacedHit& hit, Cell& cell) {
                     if (hit.standing.next_edits) cell.set(std::int64_t{*hit.standing.next_edits});
                   })),
      column(
          "aligned_pattern", kText, "the pattern as the hit's strand reads it, with - for gaps",
          [](const HitRows& rows, const PlacedHit& hit, Cell& cell) {
            cell.set(draw(rows, hit, &AlignedLetters::pattern));
          },
          need::letters | need::alignment),
      column(
          "aligned_text", kText, "the text below it, with - for gaps and . for bases outside of the record",
          [](const HitRows& rows, const PlacedHit& hit, Cell& cell) {
            cell.set(draw(rows, hit, &AlignedLetters::text));
          },
          need::letters | need::alignment)};
}

// Column::of_hits of the matched text.
void add_matched(const Rows& rows, const PackedBatch& batch, std::span<const Hit> hits, CellArray& to) {
  const std::vector<Query>& queries = static_cast<const HitRows&>(rows).patterns().queries();
  std::size_t bytes = 0;
  for (const Hit& hit : hits) bytes += hit.length;
  char* next = to.room(bytes);
  std::string forward;
  for (const Hit& hit : hits) {
    const bool turned = queries[hit.query].strand == Strand::minus;
    if (turned) forward.resize(hit.length);
    batch.copy_letters(hit.position, hit.position + hit.length, turned ? forward.data() : next);
    if (turned) put_matched(next, forward, Strand::minus);
    next += hit.length;
    to.put(hit.length);
  }
}

// The columns that all hits have after these.
std::vector<Column> letter_columns() {
  Column matched = column(
      "matched", kText, "the matched text in upper case as the hit's strand reads it, U as T",
      [](const HitRows& rows, const PlacedHit& hit, Cell& cell) {
        set_stranded(hit.letters, rows.query(hit).strand, cell);
      },
      need::letters);
  matched.of_hits = add_matched;
  return {column(
              "upstream", kText,
              "with --flank N: the N bases before the hit as its strand reads them, fewer at the end of "
              "the record",
              [](const HitRows& rows, const PlacedHit& hit, Cell& cell) { set_flank(rows, hit, Strand::plus, cell); },
              need::letters | need::flanks),
          column(
              "downstream", kText, "with --flank N: the N bases after it",
              [](const HitRows& rows, const PlacedHit& hit, Cell& cell) { set_flank(rows, hit, Strand::minus, cell); },
              need::letters | need::flanks),
          std::move(matched)};
}

std::vector<Column> hidden_columns() {
  return hidden({// The part of a pattern that hangs over, for identifiers.
                 maybe(column("part_inside", kText, "", [](const HitRows& rows, const PlacedHit& hit, Cell& cell) {
                   const PatternPart part = inside(rows, hit);
                   if (part.end - part.begin == rows.query(hit).sets.size()) return;
                   set_made(fmt::format("{}-{}", part.begin, part.end), cell);
                 }))});
}

}  // namespace

EditKinds edit_kinds(const Hit& hit, const Query& query) {
  const auto inside = static_cast<std::int64_t>(query.sets.size()) - hit.hang_left - hit.hang_right;
  const std::int64_t longer = inside - hit.length;  // the query than the text
  const auto insertions = static_cast<std::uint32_t>((hit.indels + longer) / 2);
  return {static_cast<std::uint32_t>(hit.edits - hit.indels), insertions, hit.indels - insertions};
}

std::int64_t hit_score(const Hit& hit, const Query& query) {
  return score_of_edits(hit.edits_and_hang(), static_cast<std::int64_t>(query.sets.size()));
}

HitRows::HitRows(const PatternSet& patterns, HitRowOptions options)
    : patterns_(patterns), options_(std::move(options)) {
  files_ = options_.files;
  columns_ = {record_column(), start_column(), end_column(),
              column("pattern", kText, "the name of the pattern",
                     [](const HitRows& rows, const PlacedHit& hit, Cell& cell) {
                       cell.set(rows.patterns().patterns()[rows.query(hit).pattern].name);
                     }),
              column.strand("strand", "- when the reverse complement matches",
                            [](const HitRows& rows, const PlacedHit& hit) { return rows.query(hit).strand; })};
  named(columns_, "pattern").by_variant = named(columns_, "strand").by_variant = true;
  column.set_table(
      named(columns_, "pattern"),
      [](const HitRows& rows, const PlacedHit& hit, std::uint32_t) { return rows.query(hit).pattern; },
      [](const HitRows& rows, std::uint32_t) { return texts_of(rows.patterns().patterns(), &Pattern::name); });
  const bool approximate = patterns.approximate();
  for (Column& one : edit_columns()) {
    if (!approximate && !options_.edits_of_exact)
      one.lacking = "motif finds hits without edits; match finds those with edits";
    columns_.push_back(std::move(one));
  }
  if (!approximate) named(columns_, "cigar").of_hits = add_whole_cigars;
  for (const char* const name : {"mismatches", "insertions", "deletions", "aligned_pattern", "aligned_text"}) {
    named(columns_, name).usual = false;
  }
  for (const char* const name : {"pattern_start", "pattern_end"}) named(columns_, name).usual = patterns.overhangs();
  for (const char* const name : {"best", "next_edits"}) {
    if ((approximate || options_.edits_of_exact) && !options_.standing)
      named(columns_, name).lacking = "only --report best-per-record knows it";
  }
  columns_.push_back(file_column());
  columns_.push_back(
      maybe(column("mate", kInteger, "of pairs of reads: 1 if the record is the first mate, 2 if it is the second",
                   [](const HitRows& rows, const PlacedHit& hit, Cell& cell) {
                     if (rows.pairs()) cell.set(std::int64_t{hit.odd_record ? 2 : 1});
                   })));
  columns_.back().usual = false;
  columns_.push_back(column(
      "bed_score", kInteger,
      "1000 (1 - edits / length of the pattern), rounded half up; bases of the pattern outside of the record count "
      "like "
      "edits",
      [](const HitRows& rows, const PlacedHit& hit, Cell& cell) { cell.set(hit_score(hit.hit, rows.query(hit))); }));
  columns_.back().usual = false;
  columns_.back().by_variant = !approximate;
  for (Column& one : letter_columns()) {
    if ((one.needs & need::flanks) != 0 && options_.flank == 0) one.lacking = "--flank N says how many bases";
    columns_.push_back(std::move(one));
  }
  add(hidden_columns());
}

void HitRows::prepare(const Row& row, unsigned needs) const {
  if ((needs & need::alignment) == 0) return;
  const auto& hit = static_cast<const PlacedHit&>(row);
  auto& traced = per_thread<Traced>();
  if (!patterns_.approximate()) {
    traced.exact = {hit.hit.length, '='};
    traced.cigar = std::span(&traced.exact, 1);
    return;
  }
  traced.cigar = traced.tracer.trace(query(hit), hit.letters, hit.hit);
}

void HitRows::show_variant(std::size_t variant, const std::function<void(const Row& row)>& use) const {
  PlacedHit hit;
  hit.hit.query = static_cast<std::uint32_t>(variant) & 0x7fffffffU;
  use(hit);
}

LineShape HitRows::shape(OutputFormat format) const {
  const bool approximate = patterns_.approximate();
  const bool overhangs = patterns_.overhangs();
  switch (format) {
    case OutputFormat::bed: return {"", "{record}\t{start}\t{end}\t{pattern}\t{bed_score}\t{strand}{+}\n"};
    case OutputFormat::gff3:
      return {"", fmt::format("{{record}}\tbasesweep\t{}\t{{start+1}}\t{{end}}\t{{bed_score}}\t{{strand}}\t.\t"
                              "ID={{pattern}}:{{record}}:{{start+1}}-{{end}}:{{strand}}{};Name={{pattern}}{}{}{{+}}\n",
                              approximate ? "nucleotide_match" : "nucleotide_motif",
                              overhangs ? "[:{part_inside}]" : "", approximate ? ";edits={edits};indels={indels}" : "",
                              overhangs ? ";pattern_start={pattern_start};pattern_end={pattern_end}" : "")};
    case OutputFormat::fasta:
      return {"", fmt::format(">{{record}}:{{start}}-{{end}}({{strand}}){}{}{{+}} pattern={{pattern}}\n"
                              "{}{{matched}}{}\n",
                              approximate ? " edits={edits}" : "",
                              overhangs ? " pattern_start={pattern_start} pattern_end={pattern_end}" : "",
                              options_.flank != 0 ? "{upstream:lower}" : "",
                              options_.flank != 0 ? "{downstream:lower}" : "")};
    default: return {};
  }
}

}  // namespace basesweep
