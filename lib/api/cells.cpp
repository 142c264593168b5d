#include "lib/api/cells.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>

#include "lib/base/error.hpp"
#include "lib/base/per_thread.hpp"
#include "lib/rows/placed_hit.hpp"

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

// Starts or ends of hits.
void store_places(std::span<const SegmentHits> segments, std::span<const Hit> hits, bool ends, char* to) {
  for (const auto& [segment, begin, end] : segments) {
    const std::int64_t base = segment->offset - segment->position;
    if (ends) {
      for (std::size_t i = begin; i < end; ++i) store(to, i, base + hits[i].position + hits[i].length);
    } else {
      for (std::size_t i = begin; i < end; ++i) store(to, i, base + hits[i].position);
    }
  }
}

}  // namespace

// Memory that is kept from one frame to the next.
struct CellFormatter::Scratch {
  std::vector<std::string> texts;  // of each column
  std::vector<SegmentHits> segments;
  std::vector<std::pair<RecordRun, std::string_view>> runs;
  std::vector<char*> columns;  // where their cells are, null if they are set
  Cell cell;

  void begin(std::size_t count) {
    if (texts.size() < count) texts.resize(count);
    for (std::size_t i = 0; i < count; ++i) texts[i].clear();
    runs.clear();
    columns.clear();
    cell.print_reals(false);
  }
};

CellFormatter::CellFormatter(std::shared_ptr<const Rows> rows, const std::vector<std::string>& names)
    : rows_(std::move(rows)) {
  auto infos = std::make_shared<std::vector<ColumnInfo>>();
  const auto add = [&](const Column* column) {
    const CellKind kind = column == nullptr ? CellKind::record_number : kind_of(*column);
    columns_.push_back({column, kind, column == nullptr ? RowField::none : column->field});
    infos->push_back(column == nullptr ? record_number_info() : info_of(*column));
    tables_.push_back(table_of(*rows_, column));
    if (column != nullptr) needs_ |= column->needs;
    of_records_ = of_records_ || is_of_record(kind);
    texts_ += kind == CellKind::text ? 1 : 0;
    const bool by_hit = column == nullptr || column->field != RowField::none || column->of_hit != nullptr ||
                        (column->by_variant && column->code != nullptr);
    needs_rows_ = needs_rows_ || !by_hit;
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

std::size_t CellFormatter::fixed_bytes(std::size_t rows) const {
  std::size_t bytes = sizeof(FrameHead) + texts_ * sizeof(std::uint64_t);
  for (const CellColumn& one : columns_) bytes += filled(rows * cell_bytes(one.kind));
  return bytes;
}

// Sets the cell of a row at `to`.
void CellFormatter::set_cell(const Row& row, std::size_t i, char* to, Scratch& scratch) const {
  const auto& [column, kind, field] = columns_[i];
  if (kind == CellKind::code) return store(to, 0, column->code(*rows_, row, column->index));
  Cell& cell = scratch.cell;
  cell.clear();
  column->get(*rows_, row, column->index, cell);
  const bool absent = cell.holds() == Cell::Holds::nothing;
  switch (kind) {
    case CellKind::integer: return store(to, 0, absent ? kAbsentInteger : cell.integer());
    case CellKind::real: return store(to, 0, absent ? std::numeric_limits<double>::quiet_NaN() : cell.real());
    case CellKind::text:
      store(to, 0, absent ? kAbsentText : static_cast<std::uint32_t>(cell.text().size()));
      if (!absent) scratch.texts[i] += cell.text();
      return;
    case CellKind::code:
    case CellKind::record:
    case CellKind::record_number: return;
  }
}

// Writes head, sizes of texts, texts and runs. The cells must be written; the text's end is after the sizes.
void CellFormatter::append_tails(Scratch& scratch, Text& text) const {
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    if (columns_[i].kind == CellKind::text) text.append(scratch.texts[i]);
  }
  for (const auto& [run, name] : scratch.runs) {
    char* const to = text.reserve(sizeof run + name.size());
    std::memcpy(to, &run, sizeof run);
    text.advance(std::copy(name.begin(), name.end(), to + sizeof run));
  }
}

void CellFormatter::append_row(const Row& row, Text& text) const {
  if (needs_ != 0) rows_->prepare(row, needs_);
  auto& scratch = per_thread<Scratch>();
  scratch.begin(columns_.size());
  const std::size_t fixed = fixed_bytes(1);
  char* const frame = text.reserve(fixed);
  FrameHead head{1, of_records_ ? 1U : 0U, fixed};
  char* at = frame + sizeof head;
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    if (is_of_record(columns_[i].kind)) continue;
    store(at, 0, std::uint64_t{0});
    set_cell(row, i, at, scratch);
    at += sizeof(std::uint64_t);
  }
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    if (columns_[i].kind != CellKind::text) continue;
    store(at, 0, std::uint64_t{scratch.texts[i].size()});
    at += sizeof(std::uint64_t);
    head.bytes += scratch.texts[i].size();
  }
  if (of_records_) {
    const auto& placed = static_cast<const PlacedRow&>(row);
    scratch.runs.emplace_back(RecordRun{placed.record, 1, static_cast<std::uint32_t>(placed.record_name.size())},
                              placed.record_name);
    head.bytes += sizeof(RecordRun) + placed.record_name.size();
  }
  std::memcpy(frame, &head, sizeof head);
  text.advance(at);
  append_tails(scratch, text);
}

void CellFormatter::append_hits(const PackedBatch& batch, std::span<const Hit> hits, const BatchStandings* standings,
                                RowText& text) const {
  if (hits.empty()) return;
  auto& scratch = per_thread<Scratch>();
  scratch.begin(columns_.size());
  find_segments(batch, hits, scratch.segments);
  const std::size_t fixed = fixed_bytes(hits.size());
  char* const frame = text.reserve(fixed);
  char* at = frame + sizeof(FrameHead);
  PlacedHit shown;  // only its query is set
  for (const auto& [column, kind, field] : columns_) {
    const std::size_t bytes = filled(hits.size() * cell_bytes(kind));
    const bool places = field == RowField::start || field == RowField::end;
    const bool codes = kind == CellKind::code && column->by_variant;
    const bool numbers = column != nullptr && column->of_hit != nullptr;
    scratch.columns.push_back(places || codes || numbers || is_of_record(kind) ? nullptr : at);
    for (std::size_t i = 0; numbers && i < hits.size(); ++i) store(at, i, column->of_hit(*rows_, hits[i]));
    if (places) store_places(scratch.segments, hits, field == RowField::end, at);
    for (std::size_t i = 0; codes && i < hits.size(); ++i) {
      shown.hit.query = hits[i].query;
      store(at, i, column->code(*rows_, shown, column->index));
    }
    at += bytes;
  }
  if (needs_rows_) {
    std::size_t row = 0;
    const auto set_row = [&](const PlacedHit& hit) {
      if (needs_ != 0) rows_->prepare(hit, needs_);
      for (std::size_t i = 0; i < columns_.size(); ++i) {
        if (scratch.columns[i] != nullptr) {
          set_cell(hit, i, scratch.columns[i] + row * cell_bytes(columns_[i].kind), scratch);
        }
      }
      ++row;
    };
    for_each_hit(batch, hits, needs_letters(), set_row, flank(), standings);
  }
  FrameHead head{static_cast<std::uint32_t>(hits.size()), 0, fixed};
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    if (columns_[i].kind != CellKind::text) continue;
    store(at, 0, std::uint64_t{scratch.texts[i].size()});
    at += sizeof(std::uint64_t);
    head.bytes += scratch.texts[i].size();
  }
  for (const auto& [segment, begin, end] : scratch.segments) {
    if (!of_records_) break;
    const std::string_view name = batch.name(*segment);
    scratch.runs.emplace_back(
        RecordRun{segment->reference, static_cast<std::uint32_t>(end - begin), static_cast<std::uint32_t>(name.size())},
        name);
    head.bytes += sizeof(RecordRun) + name.size();
  }
  head.runs = static_cast<std::uint32_t>(scratch.runs.size());
  std::memcpy(frame, &head, sizeof head);
  text.advance(at);
  append_tails(scratch, text);
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
