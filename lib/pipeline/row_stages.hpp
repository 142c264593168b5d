// The second half of a run over rows that were stored: decode -> select -> format -> write.
#pragma once

#include <tbb/parallel_pipeline.h>

#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "lib/rows/row_block.hpp"
#include "lib/writer/formatter.hpp"

namespace basesweep {

// A block of rows as it is stored: the function decodes it, on any thread.
template <class OneRow>
using StoredRows = std::function<DecodedRows<OneRow>()>;

template <class OneRow>
struct RowStages {
  std::function<std::optional<StoredRows<OneRow>>()> next;  // the next block; nothing after the last
  // In order: leaves the rows that are written. Returns false when no more rows are wanted.
  std::function<bool(std::vector<OneRow>& rows)> select;
  const Formatter* formatter = nullptr;           // null: nothing is written
  std::function<void(std::string_view)> write{};  // in order
};

// Runs on the task arena that it is called in. Decodes and formats blocks side by side, at most `at_once` of them. All
// blocks are read, since parts are checked to their ends. Throws what the stages throw, of several faults the first.
template <class OneRow>
void run_row_stages(const RowStages<OneRow>& stages, std::size_t at_once) {
  struct Task {
    StoredRows<OneRow> stored;
    DecodedRows<OneRow> rows{};
    std::exception_ptr fault{};
    RowText text{};
  };
  using TaskPtr = std::shared_ptr<Task>;
  bool wanted = true;
  const auto next = [&](tbb::flow_control& control) -> TaskPtr {
    std::optional<StoredRows<OneRow>> stored = stages.next();
    if (stored) return std::make_shared<Task>(Task{std::move(*stored)});
    control.stop();
    return nullptr;
  };
  const auto decode = [](const TaskPtr& task) {
    try {
      task->rows = task->stored();
    } catch (...) {
      task->fault = std::current_exception();
    }
    task->stored = nullptr;
    return task;
  };
  const auto select = [&](const TaskPtr& task) {
    if (task->fault) std::rethrow_exception(task->fault);
    if (wanted) {
      wanted = stages.select(task->rows.rows());
    } else {
      task->rows.rows().clear();
    }
    return task;
  };
  const auto format = [&](const TaskPtr& task) {
    if (stages.formatter == nullptr) return task;
    for (const OneRow& row : task->rows.rows()) stages.formatter->append(row, task->text);
    stages.formatter->finish(task->text);
    task->rows = {};
    return task;
  };
  const auto write = [&](const TaskPtr& task) {
    if (!task->text.view().empty()) stages.write(task->text.view());
  };
  tbb::parallel_pipeline(at_once, tbb::make_filter<void, TaskPtr>(tbb::filter_mode::serial_in_order, next) &
                                      tbb::make_filter<TaskPtr, TaskPtr>(tbb::filter_mode::parallel, decode) &
                                      tbb::make_filter<TaskPtr, TaskPtr>(tbb::filter_mode::serial_in_order, select) &
                                      tbb::make_filter<TaskPtr, TaskPtr>(tbb::filter_mode::parallel, format) &
                                      tbb::make_filter<TaskPtr, void>(tbb::filter_mode::serial_in_order, write));
}

}  // namespace basesweep
