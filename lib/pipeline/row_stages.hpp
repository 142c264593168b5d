// The second half of a run over rows that were stored: decode -> select -> format -> write.
#pragma once

#include <tbb/parallel_pipeline.h>

#include <cstddef>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lib/parts/part.hpp"
#include "lib/rows/row_block.hpp"
#include "lib/writer/formatter.hpp"

namespace basesweep {

// A block of rows as it is stored.
template <class OneRow>
struct StoredRows {
  std::function<DecodedRows<OneRow>()> decode;  // on any thread
  std::string part{};                           // the path of the part that they are of; "": of none
};

template <class OneRow>
struct RowStages {
  std::function<std::optional<StoredRows<OneRow>>()> next{};  // the next block; nothing after the last
  // In order: leaves the rows that are written. Returns false when no more rows are wanted. Null: all are.
  std::function<bool(std::vector<OneRow>& rows)> select{};
  const Formatter* formatter = nullptr;           // null: nothing is written
  std::function<void(std::string_view)> write{};  // in order
};

// Runs on the task arena that it is called in, which has `threads` threads. Decodes and formats blocks side by side.
// All blocks are read, since parts are checked to their ends. Throws what the stages throw, of several faults that of
// the first block; the blocks before it are written.
template <class OneRow>
void run_row_stages(const RowStages<OneRow>& stages, int threads) {
  constexpr std::size_t kBlocksOfThread = 3;
  struct Task {
    std::optional<StoredRows<OneRow>> stored{};
    DecodedRows<OneRow> rows{};
    RowText text{};
    std::exception_ptr fault{};
  };
  using TaskPtr = std::shared_ptr<Task>;
  // A fault goes with its block to the last stage, so that those of the blocks before it are thrown first.
  const auto guarded = [](const TaskPtr& task, const auto& work) {
    if (task->fault) return task;
    try {
      work(*task);
    } catch (...) {
      task->fault = std::current_exception();
    }
    return task;
  };
  bool failed = false;  // the last block that was read; only next() uses it
  bool wanted = true;   // more rows; only select() uses it
  const auto next = [&](tbb::flow_control& control) -> TaskPtr {
    const auto task = std::make_shared<Task>();
    if (!failed) guarded(task, [&](Task& own) { own.stored = stages.next(); });
    failed = task->fault != nullptr;
    if (task->stored || failed) return task;
    control.stop();
    return nullptr;
  };
  const auto decode = [&](const TaskPtr& task) {
    return guarded(task, [](Task& own) {
      own.rows = own.stored->decode();
      own.stored->decode = nullptr;
    });
  };
  const auto select = [&](const TaskPtr& task) {
    if (!wanted) task->rows.rows().clear();
    if (wanted && stages.select) guarded(task, [&](Task& own) { wanted = stages.select(own.rows.rows()); });
    if (task->fault) wanted = false;
    return task;
  };
  const auto format = [&](const TaskPtr& task) {
    if (stages.formatter == nullptr) return task;
    return guarded(task, [&](Task& own) {
      try {
        for (const OneRow& row : own.rows.rows()) stages.formatter->append(row, own.text);
      } catch (const DataError& fault) {  // such as letters that do not fit their alignment
        if (own.stored->part.empty()) throw;
        throw damaged_part(own.stored->part, fault.what());
      }
      stages.formatter->finish(own.text);
      own.rows = {};
    });
  };
  const auto write = [&](const TaskPtr& task) {
    if (task->fault) std::rethrow_exception(task->fault);
    if (!task->text.view().empty()) stages.write(task->text.view());
  };
  tbb::parallel_pipeline(kBlocksOfThread * static_cast<std::size_t>(threads),
                         tbb::make_filter<void, TaskPtr>(tbb::filter_mode::serial_in_order, next) &
                             tbb::make_filter<TaskPtr, TaskPtr>(tbb::filter_mode::parallel, decode) &
                             tbb::make_filter<TaskPtr, TaskPtr>(tbb::filter_mode::serial_in_order, select) &
                             tbb::make_filter<TaskPtr, TaskPtr>(tbb::filter_mode::parallel, format) &
                             tbb::make_filter<TaskPtr, void>(tbb::filter_mode::serial_in_order, write));
}

}  // namespace basesweep
