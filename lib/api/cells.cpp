#include "lib/api/cells.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>

#include "lib/base/error.hpp"
#include "lib/base/per_thread.hpp"
#include "lib/rows/hits_of_batch.hpp"
#include "lib/rows/placed_hit.hpp"
#include "lib/search/packed_batch.hpp"

namespace basesweep {
namespace {

CellKind kind_of(const Column& column) {
  if (column.code != nullptr) return CellKind::code;
  if (column.field == RowField::record) return CellKind::record;
  switch (column.type) {
    case ColumnType::integer: return CellKind::integer;
    case ColumnType::real: return CellKind::real;
    case ColumnType::text:
    case ColumnType::strand:
    case ColumnType::cigar: break;
  }
  return CellKind::text;
}

ColumnKind kind_of(CellKind kind) {
  switch (kind) {
    case CellKind::integer:
    case CellKind::record_number: return ColumnKind::integer;
    case CellKind::real: return ColumnKind::real;
    case CellKind::text: return ColumnKind::text;
    case CellKind::code:
    case CellKind::record: break;
  }
  return ColumnKind::dictionary;
}

ColumnInfo info_of(const Column& column) {
  return {column.name, kind_of(kind_of(column)), column.meaning, column.usual};
}

// Whether rows have a record whose number means something.
bool has_records(const Rows& rows) {
  return std::any_of(rows.columns().begin(), rows.columns().end(),
                     [](const Column& column) { return column.field == RowField::record; });
}

ColumnInfo record_number_info() {
  return {std::string(kRecordNumber), ColumnKind::integer,
          "the index of the sequence in memory; in files the number of the record among those that have bases, from 0",
          false};
}

std::shared_ptr<const TextTable> table_of(const Rows& rows, const Column* column) {
  if (column == nullptr || column->table == nullptr) return nullptr;
  auto table = std::make_shared<TextTable>();
  for (const std::string& text : column->table(rows, column->index)) table->add(text);
  return table;
}

std::vector<std::int32_t> codes_of_variants(const Rows& rows, const Column& column) {
  std::vector<std::int32_t> codes;
  for (std::size_t variant = 0; variant < rows.variants(); ++variant) {
    rows.show_variant(variant, [&](const Row& row) { codes.push_back(column.code(rows, row, column.index)); });
  }
  return codes;
}

// The bytes that a value takes in a frame.
template <class T>
void store(char* to, std::size_t row, T value) {
  std::memcpy(to + row * sizeof value, &value, sizeof value);
}

// The hits [begin, end) of a segment.
struct SegmentHits {
  const Segment* segment;
  std::size_t begin;
  std::size_t end;
};

void find_segments(const PackedBatch& batch, std::span<const Hit> hits, std::vector<SegmentHits>& found) {
  found.clear();
  const std::vector<Segment>& segments = batch.segments();
  std::size_t segment = batch.segment_at(hits.front().position);
  for (std::size_t begin = 0; begin < hits.size();) {
    while (segment + 1 < segments.size() && segments[segment + 1].position <= hits[begin].position) ++segment;
    const auto after = segment + 1 == segments.size()
                           ? hits.end()
                           : std::partition_point(hits.begin() + static_cast<std::ptrdiff_t>(begin), hits.end(),
                                                  [position = segments[segment + 1].position](const Hit& hit) {
                                                    return hit.position < position;
                                                  });
    const auto end = static_cast<std::size_t>(after - hits.begin());
    found.push_back({&segments[segment], begin, end});
    begin = end;
  }
}

// Adds starts or ends of hits.
void add_places(std::span<const SegmentHits> segments, std::span<const Hit> hits, bool ends, CellArray& to) {
  for (const auto& [segment, begin, end] : segments) {
    const std::int64_t base = segment->offset - segment->position;
    CellArray own = to;  // a local one stays in registers
    for (const Hit& hit : hits.subspan(begin, end - begin)) own.put(base + hit.position + (ends ? hit.length : 0));
    to = own;
  }
}

}  // namespace

// Memory that is kept from one frame to the next.
struct CellFormatter::Scratch {
  // The frame that is being made.
  char* frame = nullptr;
  std::size_t fixed_bytes = 0;     // all but texts and runs
  std::vector<CellArray> cells;    // of each column
  std::vector<std::string> texts;  // of each column
  std::vector<std::pair<RecordRun, std::string_view>> runs;

  std::vector<SegmentHits> segments;
  Cell cell;

  void add_run(std::int64_t record, std::size_t rows, std::string_view name) {
    const auto size = static_cast<std::uint32_t>(name.size());
    runs.emplace_back(RecordRun{record, static_cast<std::uint32_t>(rows), size}, name);
  }
};

CellFormatter::CellFormatter(std::shared_ptr<const Rows> rows, const std::vector<std::string>& names)
    : rows_(std::move(rows)) {
  auto infos = std::make_shared<std::vector<ColumnInfo>>();
  const auto add = [&](const Column* column) {
    const CellKind kind = column == nullptr ? CellKind::record_number : kind_of(*column);
    const RowField field = column == nullptr ? RowField::none : column->field;
    std::vector<std::int32_t> codes;
    if (column != nullptr && column->by_variant && column->code != nullptr) codes = codes_of_variants(*rows_, *column);
    const bool of_hit = column == nullptr || field != RowField::none || column->of_hits != nullptr || !codes.empty();
    const bool prepared = column != nullptr && (column->needs & (need::alignment | need::scores)) != 0;
    columns_.push_back({column, kind, field, of_hit, prepared, std::move(codes)});
    infos->push_back(column == nullptr ? record_number_info() : info_of(*column));
    tables_.push_back(table_of(*rows_, column));
    if (column != nullptr) needs_ |= column->needs;
    of_records_ = of_records_ || is_of_record(kind);
    texts_ += kind == CellKind::text ? 1 : 0;
    needs_rows_ = needs_rows_ || !of_hit;
    prepared_ = prepared_ || prepared;
  };
  for (const std::string& name : names) {
    if (std::count(names.begin(), names.end(), name) > 1) {
      throw UsageError(fmt::format("column '{}' is named twice", name));
    }
    const bool records = has_records(*rows_);
    const std::vector<std::string> others(records ? 1 : 0, std::string(kRecordNumber));
    const bool number = records && name == kRecordNumber;
    add(number ? nullptr : &choose_column(*rows_, name, fmt::format("column '{}'", name), others));
  }
  for (const Column& column : rows_->columns()) {
    if (names.empty() && column.is_usual()) add(&column);
  }
  infos_ = std::move(infos);
}

// Makes room for the cells of a frame.
void CellFormatter::begin_frame(std::size_t rows, Text& text, Scratch& scratch) const {
  scratch.fixed_bytes = sizeof(FrameHead) + texts_ * sizeof(std::uint64_t);
  for (const CellColumn& one : columns_) scratch.fixed_bytes += filled(rows * cell_bytes(one.kind));
  scratch.frame = text.reserve(scratch.fixed_bytes);
  scratch.runs.clear();
  scratch.cells.clear();
  scratch.cell.print_reals(false);
  if (scratch.texts.size() < columns_.size()) scratch.texts.resize(columns_.size());
  char* at = scratch.frame + sizeof(FrameHead);
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    const CellColumn& one = columns_[i];
    scratch.texts[i].clear();
    scratch.cells.emplace_back(one.column == nullptr ? ColumnType::integer : one.column->type, at, scratch.texts[i]);
    at += filled(rows * cell_bytes(one.kind));
  }
}

// Adds the next value of a column.
void CellFormatter::add_cell(const Row& row, std::size_t i, Scratch& scratch) const {
  const Column& column = *columns_[i].column;
  if (columns_[i].kind == CellKind::code) return scratch.cells[i].put(column.code(*rows_, row, column.index));
  scratch.cell.clear();
  column.get(*rows_, row, column.index, scratch.cell);
  scratch.cells[i].add(scratch.cell);
}

// Writes what comes before and after the cells.
void CellFormatter::end_frame(std::size_t rows, Text& text, Scratch& scratch) const {
  FrameHead head{static_cast<std::uint32_t>(rows), static_cast<std::uint32_t>(scratch.runs.size()),
                 scratch.fixed_bytes};
  char* at = scratch.frame + scratch.fixed_bytes - texts_ * sizeof(std::uint64_t);
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    if (columns_[i].kind != CellKind::text) continue;
    store(at, 0, std::uint64_t{scratch.texts[i].size()});
    at += sizeof(std::uint64_t);
    head.bytes += scratch.texts[i].size();
  }
  for (const auto& [run, name] : scratch.runs) head.bytes += sizeof run + name.size();
  std::memcpy(scratch.frame, &head, sizeof head);
  text.advance(at);
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    if (columns_[i].kind == CellKind::text) text.append(scratch.texts[i]);
  }
  for (const auto& [run, name] : scratch.runs) {
    char* const to = text.reserve(sizeof run + name.size());
    std::memcpy(to, &run, sizeof run);
    text.advance(std::copy(name.begin(), name.end(), to + sizeof run));
  }
}

void CellFormatter::append_rows(RowSpan rows, RowText& text) const {
  if (rows.size() == 0) return;
  auto& scratch = per_thread<Scratch>();
  begin_frame(rows.size(), text, scratch);
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    const auto& [column, kind, field, of_hit, prepared, codes] = columns_[i];
    if (prepared || is_of_record(kind)) continue;
    const auto add = kind == CellKind::code ? column->codes : column->get_all;
    add(*rows_, rows, column->index, scratch.cells[i]);
  }
  for (std::size_t row = 0; prepared_ && row < rows.size(); ++row) {
    rows_->prepare(rows[row], needs_);
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      if (columns_[i].prepared) add_cell(rows[row], i, scratch);
    }
  }
  for (std::size_t row = 0; of_records_ && row < rows.size(); ++row) {
    const auto& placed = static_cast<const PlacedRow&>(rows[row]);
    if (!scratch.runs.empty() && scratch.runs.back().first.record == placed.record) {
      ++scratch.runs.back().first.rows;
    } else {
      scratch.add_run(placed.record, 1, placed.record_name);
    }
  }
  end_frame(rows.size(), text, scratch);
}

void CellFormatter::append_hits(const PackedBatch& batch, std::span<const Hit> hits, const BatchStandings* standings,
                                RowText& text) const {
  if (hits.empty()) return;
  auto& scratch = per_thread<Scratch>();
  begin_frame(hits.size(), text, scratch);
  find_segments(batch, hits, scratch.segments);
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    const auto& [column, kind, field, of_hit, prepared, codes] = columns_[i];
    CellArray& cells = scratch.cells[i];
    if (!of_hit || is_of_record(kind)) continue;
    if (field == RowField::start || field == RowField::end) {
      add_places(scratch.segments, hits, field == RowField::end, cells);
    } else if (column->of_hits != nullptr) {
      column->of_hits(*rows_, batch, hits, cells);
    } else {
      CellArray own = cells;
      for (const Hit& hit : hits) own.put(codes[hit.query]);
    }
  }
  const auto add_row = [&](const PlacedHit& hit) {
    if (prepared_) rows_->prepare(hit, needs_);
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      if (!columns_[i].of_hit) add_cell(hit, i, scratch);
    }
  };
  if (needs_rows_) for_each_hit(batch, hits, needs_letters(), add_row, flank(), standings);
  for (const auto& [segment, begin, end] : scratch.segments) {
    if (of_records_) scratch.add_run(segment->reference, end - begin, batch.name(*segment));
  }
  end_frame(hits.size(), text, scratch);
}

std::vector<ColumnInfo> column_infos(const Rows& rows) {
  std::vector<ColumnInfo> infos;
  for (const Column& column : rows.columns()) {
    if (column.can_be_chosen()) infos.push_back(info_of(column));
  }
  if (has_records(rows)) infos.push_back(record_number_info());
  return infos;
}

}  // namespace basesweep
