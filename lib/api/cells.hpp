// Rows as the cells of chosen columns, column by column: what goes from the pipelines to the caller of the library.
#pragma once

#include <basesweep/batch.hpp>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lib/api/batch_state.hpp"
#include "lib/rows/cell_array.hpp"
#include "lib/rows/rows.hpp"
#include "lib/writer/formatter.hpp"

namespace basesweep {

class PackedBatch;  // lib/search/packed_batch.hpp

// A column that the library has besides those of the rows.
inline constexpr std::string_view kRecordNumber = "record_number";

// The way in which the values of a column go to the caller.
enum class CellKind : std::uint8_t {
  integer,        // 8 bytes; kAbsentInteger: absent
  real,           // 8 bytes; not a number: absent
  code,           // 4 bytes; kNoCode: absent
  text,           // 4 bytes for its length, or kAbsentText; and the text
  record,         // codes that the sink makes of runs of rows in one record
  record_number,  // integers from the same
};

// Bytes that each row of a frame has in such a column.
constexpr std::size_t cell_bytes(CellKind kind) {
  switch (kind) {
    case CellKind::integer:
    case CellKind::real: return sizeof(std::int64_t);
    case CellKind::code:
    case CellKind::text: return sizeof(std::int32_t);
    case CellKind::record:
    case CellKind::record_number: break;
  }
  return 0;
}
constexpr bool is_of_record(CellKind kind) { return kind == CellKind::record || kind == CellKind::record_number; }

// The format of a frame, which holds rows that are appended together; frames come one after another:
//
//   FrameHead
//   for each column the cells of all rows, filled up to 8 bytes
//   for each column of texts a std::uint64_t, the bytes of its texts
//   for each column of texts these bytes
//   if a column is of the record: for each run of rows in one record a RecordRun, then the name
struct FrameHead {
  std::uint32_t rows;
  std::uint32_t runs;
  std::uint64_t bytes;  // of the frame
};
struct RecordRun {
  std::int64_t record;  // PlacedRow::record
  std::uint32_t rows;
  std::uint32_t name_bytes;
};
constexpr std::size_t filled(std::size_t bytes) { return (bytes + 7) / 8 * 8; }

struct CellColumn {
  const Column* column;  // null: kRecordNumber
  CellKind kind;
  RowField field;
  bool of_hit;                      // its value in a hit of a batch is known without the whole row
  bool prepared;                    // it is got from a row after Rows::prepare()
  std::vector<std::int32_t> codes;  // of each variant; empty unless it is a column of codes by variant
};

// The columns of a call. Thread-safe once made.
class CellFormatter final : public Formatter {
 public:
  // `names`: of the columns; empty: the usual ones. Throws UsageError for one that `rows` does not have or give, or
  // that is named twice.
  CellFormatter(std::shared_ptr<const Rows> rows, const std::vector<std::string>& names);

  std::string header(std::span<const RecordInfo>) const override { return ""; }
  unsigned needs() const override { return needs_; }
  std::uint32_t flank() const override { return (needs_ & need::flanks) != 0 ? rows_->flank() : 0; }
  // Each appends a frame.
  void append(const Row& row, RowText& text) const override { append_rows(RowSpan(&row, 1), text); }
  void append_rows(RowSpan rows, RowText& text) const override;
  void append_hits(const PackedBatch& batch, std::span<const Hit> hits, const BatchStandings* standings,
                   RowText& text) const override;

  const std::vector<CellColumn>& columns() const { return columns_; }
  const std::shared_ptr<const std::vector<ColumnInfo>>& infos() const { return infos_; }
  // The table of a column of codes; null for other columns.
  const std::shared_ptr<const TextTable>& table(std::size_t column) const { return tables_[column]; }

 private:
  struct Scratch;
  void begin_frame(std::size_t rows, Text& text, Scratch& scratch) const;
  void add_cell(const Row& row, std::size_t column, Scratch& scratch) const;
  void end_frame(std::size_t rows, Text& text, Scratch& scratch) const;

  const std::shared_ptr<const Rows> rows_;
  std::vector<CellColumn> columns_;
  std::shared_ptr<const std::vector<ColumnInfo>> infos_;
  std::vector<std::shared_ptr<const TextTable>> tables_;
  unsigned needs_ = 0;
  bool of_records_ = false;  // a column is of the record
  std::size_t texts_ = 0;    // columns of texts
  bool needs_rows_ = false;  // a column is not CellColumn::of_hit
  bool prepared_ = false;    // a column is CellColumn::prepared
};

// The columns that a call may choose from.
std::vector<ColumnInfo> column_infos(const Rows& rows);

}  // namespace basesweep
