// Turns frames of cells into batches.
#pragma once

#include <basesweep/batch.hpp>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "lib/api/batch_state.hpp"
#include "lib/api/cells.hpp"
#include "lib/writer/byte_sink.hpp"

namespace basesweep {

// The number and the name that a caller knows a record by.
struct NamedRecord {
  std::int64_t number;
  std::string_view name;
};

struct BatchSinkOptions {
  std::size_t max_rows = 65'536;  // of a batch
  bool at_once = false;           // give a batch at the end of each write(), for callers that take single rows
  // The record with this PlacedRow::record. Empty: it keeps number and name.
  std::function<NamedRecord(std::int64_t record)> name_of{};
};

// Takes the frames of a CellFormatter, which may cut the text anywhere between two frames, and gives batches.
class BatchSink final : public ByteSink {
 public:
  // `formatter` and `take` must outlive this. Throws UsageError for a number of rows that is out of range.
  BatchSink(const CellFormatter& formatter, BatchSinkOptions options, const TakeBatch& take);
  ~BatchSink() override;

  void write(std::string_view frames) override;
  // Gives the rows that are left, and a batch without rows if there was none, unless `at_once`.
  void finish();
  // Gives the rows that are left before an error, unless `take` threw it.
  void finish_before_error();

 private:
  // Where the next rows of a frame are.
  struct Cursor {
    std::size_t rows = 0;            // that are left
    std::vector<const char*> cells;  // of each column
    std::vector<const char*> texts;  // of each column, if it has texts
    std::vector<std::size_t> sizes;  // bytes of them that are left
    const char* runs = nullptr;      // the next run
    RecordRun run{};                 // its rows are those that are left
    std::string_view name;           // of its record
  };

  std::uint32_t open_frame(const char* frame);
  void add_frame(const char* frame);
  void add_rows(std::size_t column, std::size_t rows);
  void add_texts(std::size_t column, std::size_t rows);
  void add_records(std::size_t rows);
  std::size_t rows_that_fit() const;
  void mark_absent(Batch::State::Values& values, std::size_t row) const;
  template <class T, class IsAbsent>
  void check_absent(Batch::State::Values& values, UnsetVector<T>& all, std::size_t rows, T kept, IsAbsent is_absent);
  std::int32_t code_of(std::string_view name);
  void give();
  void begin();

  const CellFormatter& formatter_;
  const BatchSinkOptions options_;
  const TakeBatch& take_;
  std::shared_ptr<Batch::State> state_;
  std::vector<std::size_t> of_record_;  // columns of the record
  std::vector<std::size_t> texts_;      // columns of texts
  bool gave_ = false;                   // a batch
  bool giving_ = false;                 // take_ was called, and has not returned
  Cursor cursor_;                       // in the frame that is being added

  // The names of records in the batch so far, and the last of them.
  std::shared_ptr<TextTable> record_names_;
  std::unordered_map<std::string, std::int32_t> record_codes_;
  std::int64_t last_record_ = -1;  // of the last run
  std::int64_t last_number_ = 0;   // of it, as the caller knows it
  std::int32_t last_code_ = 0;
};

}  // namespace basesweep
