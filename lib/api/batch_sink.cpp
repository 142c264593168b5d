#include "lib/api/batch_sink.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstring>
#include <limits>
#include <utility>

#include "lib/base/error.hpp"

namespace basesweep {
namespace {

constexpr std::size_t kMaxRows = 65'536;
constexpr std::size_t kMaxTextBytes = std::size_t{1} << 24;  // of a column, unless one text has more

// Memory for more rows than this is reserved for all rows of a batch: to grow would cost more.
constexpr std::size_t kFewRows = 1024;

constexpr auto is_absent_integer = [](std::int64_t value) { return value == kAbsentInteger; };
constexpr auto is_absent_real = [](double value) { return std::isnan(value); };
constexpr auto is_absent_code = [](std::int32_t value) { return value == kNoCode; };

template <class T>
T load(const char* from) {
  T value;
  std::memcpy(&value, from, sizeof value);
  return value;
}

// Appends `count` values of cells, which need not be aligned.
template <class T>
void append(UnsetVector<T>& to, const char* from, std::size_t count, std::size_t max_rows) {
  const std::size_t before = to.size();
  if (before + count > kFewRows) to.reserve(max_rows);
  to.resize(before + count);
  std::memcpy(to.data() + before, from, count * sizeof(T));
}

}  // namespace

BatchSink::BatchSink(const CellFormatter& formatter, BatchSinkOptions options, const TakeBatch& take)
    : formatter_(formatter), options_(std::move(options)), take_(take) {
  if (options_.max_rows < 1 || options_.max_rows > kMaxRows) {
    throw UsageError(fmt::format("batch_rows: expected 1 to {}", kMaxRows));
  }
  const std::size_t columns = formatter.columns().size();
  cursor_.cells.resize(columns);
  cursor_.texts.resize(columns);
  cursor_.sizes.resize(columns);
  for (std::size_t i = 0; i < columns; ++i) {
    if (is_of_record(formatter.columns()[i].kind)) of_record_.push_back(i);
    if (formatter.columns()[i].kind == CellKind::text) texts_.push_back(i);
  }
  begin();
}

BatchSink::~BatchSink() = default;

// The memory of the batch before is used again unless the caller keeps it.
void BatchSink::begin() {
  const bool reuse = state_ != nullptr && state_.use_count() == 1;
  // If another thread dropped the last copy, all that it read comes before what is written here. The count alone does
  // not order that: it is read without a barrier, so the fence must come after it.
  std::atomic_thread_fence(std::memory_order_acquire);
  if (!reuse) {
    state_ = std::make_shared<Batch::State>();
    state_->infos = formatter_.infos();
    state_->columns.resize(formatter_.columns().size());
  }
  record_names_ = std::make_shared<TextTable>();
  record_codes_.clear();
  last_record_ = -1;
  state_->rows = 0;
  for (std::size_t i = 0; i < state_->columns.size(); ++i) {
    Batch::State::Values& values = state_->columns[i];
    values.integers.clear();
    values.reals.clear();
    values.codes.clear();
    values.texts.offsets.resize(1);
    values.texts.bytes.clear();
    values.validity.clear();
    values.absent = 0;
    values.table = formatter_.columns()[i].kind == CellKind::record ? record_names_ : formatter_.table(i);
  }
}

void BatchSink::write(std::string_view frames) {
  while (!frames.empty()) {
    add_frame(frames.data());
    frames.remove_prefix(static_cast<std::size_t>(load<FrameHead>(frames.data()).bytes));
  }
  if (options_.at_once && state_->rows != 0) give();
}

void BatchSink::finish() {
  if (state_->rows != 0 || (!gave_ && !options_.at_once)) give();
}

void BatchSink::finish_before_error() {
  if (state_->rows != 0 && !giving_) give();
}

void BatchSink::give() {
  for (Batch::State::Values& values : state_->columns) {
    if (!values.validity.empty()) values.validity.resize((state_->rows + 7) / 8);
  }
  gave_ = giving_ = true;
  {
    const Batch batch = BatchAccess::make(state_);
    take_(batch);
  }
  giving_ = false;
  begin();
}

// Points the cursor to the first row; returns the number of runs.
std::uint32_t BatchSink::open_frame(const char* frame) {
  const auto head = load<FrameHead>(frame);
  const std::vector<CellColumn>& columns = formatter_.columns();
  cursor_.rows = head.rows;
  cursor_.run.rows = 0;
  const char* at = frame + sizeof head;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    cursor_.cells[i] = at;
    at += filled(head.rows * cell_bytes(columns[i].kind));
  }
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (columns[i].kind != CellKind::text) continue;
    cursor_.sizes[i] = static_cast<std::size_t>(load<std::uint64_t>(at));
    at += sizeof(std::uint64_t);
  }
  for (std::size_t i = 0; i < columns.size(); ++i) {
    cursor_.texts[i] = at;
    at += cursor_.sizes[i];
  }
  cursor_.runs = at;
  return head.runs;
}

void BatchSink::add_frame(const char* frame) {
  const std::uint32_t runs = open_frame(frame);
  while (cursor_.rows != 0) {
    const std::size_t rows = rows_that_fit();
    for (std::size_t i = 0; i < state_->columns.size(); ++i) add_rows(i, rows);
    if (runs != 0) add_records(rows);
    cursor_.rows -= rows;
    state_->rows += rows;
    if (cursor_.rows != 0 || state_->rows == options_.max_rows) give();
  }
}

// How many of the frame's rows the batch has room for; at least one if it has none.
std::size_t BatchSink::rows_that_fit() const {
  std::size_t rows = std::min(cursor_.rows, options_.max_rows - state_->rows);
  for (const std::size_t i : texts_) {
    std::size_t bytes = state_->columns[i].texts.bytes.size();
    if (bytes + cursor_.sizes[i] <= kMaxTextBytes) continue;
    for (std::size_t row = 0; row < rows; ++row) {
      const auto size = load<std::uint32_t>(cursor_.cells[i] + row * sizeof(std::uint32_t));
      if (size != kAbsentText) bytes += size;
      if (bytes > kMaxTextBytes) rows = row;
    }
  }
  return state_->rows == 0 ? std::max<std::size_t>(rows, 1) : rows;
}

void BatchSink::mark_absent(Batch::State::Values& values, std::size_t row) const {
  if (values.validity.empty()) values.validity.assign((options_.max_rows + 7) / 8, 0xff);
  values.validity[row / 8] &= static_cast<std::uint8_t>(~(1U << row % 8));
  ++values.absent;
}

// Marks the absent ones among the last `rows` values, and sets them to `kept`.
template <class T, class IsAbsent>
void BatchSink::check_absent(Batch::State::Values& values, UnsetVector<T>& all, std::size_t rows, T kept,
                             IsAbsent is_absent) {
  bool any = false;
  for (std::size_t row = all.size() - rows; row < all.size(); ++row) any |= is_absent(all[row]);
  if (!any) return;
  for (std::size_t row = all.size() - rows; row < all.size(); ++row) {
    if (!is_absent(all[row])) continue;
    mark_absent(values, row);
    all[row] = kept;
  }
}

void BatchSink::add_rows(std::size_t i, std::size_t rows) {
  Batch::State::Values& values = state_->columns[i];
  const CellKind kind = formatter_.columns()[i].kind;
  switch (kind) {
    case CellKind::integer:
      append(values.integers, cursor_.cells[i], rows, options_.max_rows);
      check_absent(values, values.integers, rows, std::int64_t{0}, is_absent_integer);
      break;
    case CellKind::real:
      append(values.reals, cursor_.cells[i], rows, options_.max_rows);
      check_absent(values, values.reals, rows, std::numeric_limits<double>::quiet_NaN(), is_absent_real);
      break;
    case CellKind::code:
      append(values.codes, cursor_.cells[i], rows, options_.max_rows);
      check_absent(values, values.codes, rows, kNoCode, is_absent_code);
      break;
    case CellKind::text: add_texts(i, rows); break;
    case CellKind::record:
    case CellKind::record_number: break;
  }
  cursor_.cells[i] += rows * cell_bytes(kind);
}

void BatchSink::add_texts(std::size_t i, std::size_t rows) {
  Batch::State::Values& values = state_->columns[i];
  std::size_t bytes = 0;
  const std::size_t before = values.texts.bytes.size();
  if (state_->rows + rows > kFewRows) values.texts.offsets.reserve(options_.max_rows + 1);
  values.texts.offsets.resize(state_->rows + rows + 1);
  std::int32_t* const ends = values.texts.offsets.data() + state_->rows + 1;
  for (std::size_t row = 0; row < rows; ++row) {
    const auto size = load<std::uint32_t>(cursor_.cells[i] + row * sizeof(std::uint32_t));
    if (size == kAbsentText) {
      mark_absent(values, state_->rows + row);
    } else {
      bytes += size;
    }
    ends[row] = static_cast<std::int32_t>(before + bytes);
  }
  values.texts.bytes.append(cursor_.texts[i], bytes);
  cursor_.texts[i] += bytes;
  cursor_.sizes[i] -= bytes;
}

// Sets the columns of the record.
void BatchSink::add_records(std::size_t rows) {
  RecordRun& run = cursor_.run;
  while (rows != 0) {
    if (run.rows == 0) {
      run = load<RecordRun>(cursor_.runs);
      cursor_.name = {cursor_.runs + sizeof run, run.name_bytes};
      cursor_.runs += sizeof run + run.name_bytes;
    }
    if (run.record != last_record_) {
      const NamedRecord known = options_.name_of ? options_.name_of(run.record) : NamedRecord{run.record, cursor_.name};
      last_code_ = code_of(known.name);
      last_number_ = known.number;
      last_record_ = run.record;
    }
    const std::size_t some = std::min<std::size_t>(rows, run.rows);
    for (const std::size_t i : of_record_) {
      Batch::State::Values& values = state_->columns[i];
      if (formatter_.columns()[i].kind == CellKind::record) {
        values.codes.insert(values.codes.end(), some, last_code_);
      } else {
        values.integers.insert(values.integers.end(), some, last_number_);
      }
    }
    run.rows -= static_cast<std::uint32_t>(some);
    rows -= some;
  }
}

// The name's index in the table of the batch.
std::int32_t BatchSink::code_of(std::string_view name) {
  const auto [known, fresh] =
      record_codes_.try_emplace(std::string(name), static_cast<std::int32_t>(record_codes_.size()));
  if (fresh) record_names_->add(name);
  return known->second;
}

}  // namespace basesweep
