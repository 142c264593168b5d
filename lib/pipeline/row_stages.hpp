// The second half of a run over rows that were stored: decode -> select -> format -> write.
#pragma once

#include <tbb/flow_graph.h>

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
  namespace flow = tbb::flow;
  constexpr int kBlocksOfThread = 3;
  struct Task {
    std::size_t number = 0;
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
  std::size_t count = 0;           // blocks that were read; only next() uses it
  bool failed = false;             // the last block that was read; only next() uses it
  bool wanted = true;              // more rows; only select() uses it
  std::exception_ptr first_fault;  // only write() uses it
  const auto next = [&](tbb::flow_control& control) -> TaskPtr {
    const auto task = std::make_shared<Task>();
    task->number = count++;
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
        stages.formatter->append_rows(own.rows.rows(), own.text);
      } catch (const DataError& fault) {  // such as letters that do not fit their alignment
        if (own.stored->part.empty()) throw;
        throw damaged_part(own.stored->part, fault.what());
      }
      stages.formatter->finish(own.text);
      own.rows = {};
    });
  };
  const auto write = [&](const TaskPtr& task) {
    if (first_fault) return flow::continue_msg();
    guarded(task, [&](Task& own) {
      if (!own.text.view().empty()) stages.write(own.text.view());
    });
    first_fault = task->fault;
    return flow::continue_msg();
  };
  const auto number_of = [](const TaskPtr& task) { return task->number; };

  flow::graph graph;
  flow::input_node<TaskPtr> next_node(graph, next);
  flow::limiter_node<TaskPtr> in_flight(graph, static_cast<std::size_t>(kBlocksOfThread * threads));
  flow::function_node<TaskPtr, TaskPtr> decode_node(graph, flow::unlimited, decode);
  flow::sequencer_node<TaskPtr> select_order(graph, number_of);
  flow::function_node<TaskPtr, TaskPtr> select_node(graph, flow::serial, select);
  flow::function_node<TaskPtr, TaskPtr> format_node(graph, flow::unlimited, format);
  flow::sequencer_node<TaskPtr> write_order(graph, number_of);
  flow::function_node<TaskPtr, flow::continue_msg> write_node(graph, flow::serial, write);
  flow::make_edge(next_node, in_flight);
  flow::make_edge(in_flight, decode_node);
  flow::make_edge(decode_node, select_order);
  flow::make_edge(select_order, select_node);
  flow::make_edge(select_node, format_node);
  flow::make_edge(format_node, write_order);
  flow::make_edge(write_order, write_node);
  flow::make_edge(write_node, in_flight.decrementer());
  next_node.activate();
  graph.wait_for_all();
  if (first_fault) std::rethrow_exception(first_fault);
}

}  // namespace basesweep
