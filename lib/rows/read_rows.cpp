#include "lib/rows/read_rows.hpp"

#include <utility>

#include "lib/align/trace.hpp"
#include "lib/base/per_thread.hpp"
#include "lib/rows/column_kinds.hpp"

namespace basesweep {
namespace {

// The alignment of a row, which ReadRows::prepare() works out.
struct TracedRead {
  Tracer tracer;
  std::span<const CigarRun> cigar;
  std::string text;    // of the reference
  std::string turned;  // the read, reverse-complemented
};

constexpr auto kInteger = ColumnType::integer;
constexpr auto kText = ColumnType::text;

bool is_minus(const AlignedRead& row) { return row.hit->query % 2 != 0; }

constexpr ColumnMaker<ReadRows, AlignedRead> column;

// A column of numbers that reads which are not mapped lack.
template <class Number>
Column of_alignment(const char* name, const char* meaning, Number /*number*/) {
  return maybe(column(name, kInteger, meaning, [](const ReadRows&, const AlignedRead& row, Cell& cell) {
    if (row.hit != nullptr) cell.set(std::int64_t{Number{}(row)});
  }));
}

std::vector<Column> read_columns() {
  std::vector<Column> columns{
      column("read", kText, "the name of the read, the first word of its title",
             [](const ReadRows&, const AlignedRead& row, Cell& cell) { cell.set(row.read->name); }),
      maybe(column("record", kText, "the first word of the title of the reference's record",
                   [](const ReadRows&, const AlignedRead& row, Cell& cell) {
                     if (row.hit != nullptr) cell.set(row.record_name);
                   })),
      of_alignment("start", "the first base, on the forward strand, counted from 0",
                   [](const AlignedRead& row) { return row.start; }),
      of_alignment("end", "the base after the last, counted from 0", [](const AlignedRead& row) { return row.end; }),
      maybe(column.strand("strand", "- when the reverse complement of the read is aligned",
                          [](const ReadRows&, const AlignedRead& row) {
                            return row.hit == nullptr ? kNoCode : is_minus(row) ? 1 : 0;
                          })),
      of_alignment("edits", "mismatches, inserted and deleted bases together",
                   [](const AlignedRead& row) { return row.hit->edits; }),
      of_alignment("indels", "the inserted and deleted bases among the edits",
                   [](const AlignedRead& row) { return row.hit->indels; }),
      of_alignment("mapq", "the mapping quality, 0 to 60; 0 for alignments that are not primary",
                   [](const AlignedRead& row) { return row.mapq; }),
      maybe(column(
          "cigar", ColumnType::cigar,
          "the alignment along the forward strand: = match, X mismatch, I a base of the read that the reference lacks, "
          "D one that the read lacks",
          [](const ReadRows&, const AlignedRead& row, Cell& cell) {
            if (row.hit != nullptr) set_cigar(per_thread<TracedRead>().cigar, cell);
          },
          need::letters | need::alignment)),
      of_alignment("primary", "1 for the primary alignment of a read, 0 for the others",
                   [](const AlignedRead& row) { return row.primary ? 1 : 0; }),
      column(
          "alignments", kInteger, "how many alignments of the read there are, written or not",
          [](const ReadRows&, const AlignedRead& row, Cell& cell) { cell.set(static_cast<std::int64_t>(row.found)); }),
      column("read_length", kInteger, "the bases of the read", [](const ReadRows&, const AlignedRead& row, Cell& cell) {
        cell.set(static_cast<std::int64_t>(row.read->letters.size()));
      })};
  columns.back().usual = false;
  column.set_table(
      columns[1],
      [](const ReadRows&, const AlignedRead& row, std::uint32_t) {
        return row.hit != nullptr ? row.record : std::int64_t{kNoCode};
      },
      [](const ReadRows& rows, std::uint32_t) { return texts_of(rows.reference().records, &RecordInfo::name); });
  return columns;
}

}  // namespace

AlignedRead place_read(const Reference& reference, const Read& read, const Hit& hit) {
  const PackedBatch& text = *reference.text;
  const Segment& segment = text.segments()[text.segment_at(hit.position)];
  AlignedRead row;
  row.record = segment.reference;
  row.record_name = reference.records[static_cast<std::size_t>(segment.reference)].name;
  row.start = segment.offset + (hit.position - segment.position);
  row.end = row.start + hit.length;
  row.read = &read;
  row.hit = &hit;
  return row;
}

ReadRows::ReadRows(const Reference& reference) : reference_(reference) { columns_ = read_columns(); }

void ReadRows::prepare(const Row& row, unsigned needs) const {
  const auto& aligned = static_cast<const AlignedRead&>(row);
  if ((needs & need::alignment) == 0 || aligned.hit == nullptr) return;
  auto& traced = per_thread<TracedRead>();
  const Hit& hit = *aligned.hit;
  traced.text.resize(hit.length);
  reference_.text->copy_letters(hit.position, hit.position + hit.length, traced.text.data());
  std::string_view letters = aligned.read->letters;
  if (is_minus(aligned)) {
    traced.turned.resize(letters.size());
    put_matched(traced.turned.data(), letters, Strand::minus);
    letters = traced.turned;
  }
  traced.cigar = traced.tracer.trace(letters, traced.text, {hit.edits, hit.indels});
}

}  // namespace basesweep
