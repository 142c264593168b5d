// The second half of a run over rows that were stored: decode -> select -> format -> write.
#pragma once

#include <tbb/flow_graph.h>

#include <atomic>
#include <cstddef>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lib/parts/part.hpp"
#include "lib/pipeline/stream.hpp"
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

// The graph of run_row_stages().
template <class OneRow>
class RowGraph {
 public:
  RowGraph(const RowStages<OneRow>& stages, int threads) : stages_(stages), threads_(threads) {}

  // Throws what the stages threw, and what the graph itself throws for lack of memory: then tasks may still be queued
  // although nothing waits for them, so this object must never be destroyed. They do nothing.
  void run() {
    try {
      build();
      next_->activate();
      graph_->wait_for_all();
    } catch (...) {
      broken_ = true;
      throw;
    }
    if (first_fault_) std::rethrow_exception(first_fault_);
  }
  bool broken() const { return broken_; }

 private:
  static constexpr int kBlocksOfThread = 3;

  struct Task {
    std::size_t number = 0;
    std::optional<StoredRows<OneRow>> stored{};
    DecodedRows<OneRow> rows{};
    RowText text{};
    std::exception_ptr fault{};
  };
  using TaskPtr = std::shared_ptr<Task>;

  void build() {
    namespace flow = tbb::flow;
    const auto number_of = [](const TaskPtr& task) { return task->number; };
    flow::graph& graph = graph_.emplace();
    next_.emplace(graph, [this](tbb::flow_control& control) { return next(control); });
    in_flight_.emplace(graph, static_cast<std::size_t>(kBlocksOfThread * threads_));
    decode_.emplace(graph, flow::unlimited, [this](const TaskPtr& task) { return decode(task); });
    select_order_.emplace(graph, number_of);
    select_.emplace(graph, flow::serial, [this](const TaskPtr& task) { return select(task); });
    format_.emplace(graph, flow::unlimited, [this](const TaskPtr& task) { return format(task); });
    write_order_.emplace(graph, number_of);
    write_.emplace(graph, flow::serial, [this](const TaskPtr& task) { return write(task); });
    flow::make_edge(*next_, *in_flight_);
    flow::make_edge(*in_flight_, *decode_);
    flow::make_edge(*decode_, *select_order_);
    flow::make_edge(*select_order_, *select_);
    flow::make_edge(*select_, *format_);
    flow::make_edge(*format_, *write_order_);
    flow::make_edge(*write_order_, *write_);
    flow::make_edge(*write_, in_flight_->decrementer());
  }

  // A fault goes with its block to the last stage, so that those of the blocks before it are thrown first.
  template <class Work>
  TaskPtr guarded(const TaskPtr& task, const Work& work) {
    if (task->fault || broken_) return task;
    try {
      work(*task);
    } catch (...) {
      task->fault = std::current_exception();
    }
    return task;
  }

  TaskPtr next(tbb::flow_control& control) {
    const auto task = std::make_shared<Task>();
    task->number = count_++;
    if (!failed_) guarded(task, [this](Task& own) { own.stored = stages_.next(); });
    failed_ = task->fault != nullptr;
    if (task->stored || failed_) return task;
    control.stop();
    return nullptr;
  }
  TaskPtr decode(const TaskPtr& task) {
    return guarded(task, [](Task& own) {
      own.rows = own.stored->decode();
      own.stored->decode = nullptr;
    });
  }
  TaskPtr select(const TaskPtr& task) {
    if (!wanted_) task->rows.rows().clear();
    if (wanted_ && stages_.select) {
      guarded(task, [this](Task& own) { wanted_ = stages_.select(own.rows.rows()); });
    }
    if (task->fault) wanted_ = false;
    return task;
  }
  TaskPtr format(const TaskPtr& task) {
    if (stages_.formatter == nullptr) return task;
    return guarded(task, [this](Task& own) {
      try {
        stages_.formatter->append_rows(own.rows.rows(), own.text);
      } catch (const DataError& fault) {  // such as letters that do not fit their alignment
        if (own.stored->part.empty()) throw;
        throw damaged_part(own.stored->part, fault.what());
      }
      stages_.formatter->finish(own.text);
      own.rows = {};
    });
  }
  tbb::flow::continue_msg write(const TaskPtr& task) {
    if (first_fault_) return {};
    guarded(task, [this](Task& own) {
      if (!own.text.view().empty()) stages_.write(own.text.view());
    });
    first_fault_ = task->fault;
    return {};
  }

  const RowStages<OneRow>& stages_;
  const int threads_;
  std::size_t count_ = 0;           // blocks that were read; only next() uses it
  bool failed_ = false;             // the last block that was read; only next() uses it
  bool wanted_ = true;              // more rows; only select() uses it
  std::exception_ptr first_fault_;  // only write() uses it
  std::atomic<bool> broken_ = false;

  std::optional<tbb::flow::graph> graph_;
  std::optional<tbb::flow::input_node<TaskPtr>> next_;
  std::optional<tbb::flow::limiter_node<TaskPtr>> in_flight_;
  std::optional<tbb::flow::function_node<TaskPtr, TaskPtr>> decode_;
  std::optional<tbb::flow::sequencer_node<TaskPtr>> select_order_;
  std::optional<tbb::flow::function_node<TaskPtr, TaskPtr>> select_;
  std::optional<tbb::flow::function_node<TaskPtr, TaskPtr>> format_;
  std::optional<tbb::flow::sequencer_node<TaskPtr>> write_order_;
  std::optional<tbb::flow::function_node<TaskPtr, tbb::flow::continue_msg>> write_;
};

// Runs on the task arena that it is called in, which has `threads` threads. Decodes and formats blocks side by side.
// All blocks are read, since parts are checked to their ends. Throws what the stages throw, of several faults that of
// the first block; the blocks before it are written.
template <class OneRow>
void run_row_stages(const RowStages<OneRow>& stages, int threads) {
  run_pipeline_of<RowGraph<OneRow>>(stages, threads);
}

}  // namespace basesweep
