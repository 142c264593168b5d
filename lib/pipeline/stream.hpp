// The frame of all flow graphs: threads, tokens, errors, progress.
#pragma once

#include <tbb/flow_graph.h>
#include <tbb/task_arena.h>

#include <chrono>
#include <exception>
#include <memory>
#include <optional>
#include <semaphore>
#include <utility>

#include "lib/base/error.hpp"
#include "lib/pipeline/first_error.hpp"
#include "lib/pipeline/progress.hpp"
#include "lib/pipeline/workers.hpp"

namespace basesweep {

template <class In, class Out = tbb::flow::continue_msg>
using Node = tbb::flow::function_node<In, Out>;
template <class In, class Out>
using AsyncNode = tbb::flow::async_node<In, Out>;
template <class T>
using Order = tbb::flow::sequencer_node<T>;

// A stream reads text, sends it through the nodes of a graph, and waits for the end.
//
// The thread that calls read() reads. It is not one of the workers, since it waits for the file and for tokens. A
// stream that is `alone` has no workers: this thread does their work too, when it has read all, or has no token left.
// To wake a worker takes longer than to search a few thousand bases.
//
// Tokens bound the memory. A token stands for one block of text (in `map` a batch of reads) and all that the graph
// makes of it. read() takes a token before it reads a block; the last node that holds the text, or its hits, gives the
// token back by release(). When none is left, read() waits.
//
// Errors: every node does its work in guarded(). The first exception is kept and stops the stream: nodes still pass on
// what they hold, but do nothing, and read() ends. wait() and rethrow() then end the run. ProgressCounts::cancelled
// stops the stream as an exception does.
//
// Work outside of the graph: a matcher or a finder may work on threads of its own. hand_out() starts it and keeps the
// graph waiting until the work is done.
//
// Nodes must be destroyed before the stream: declare them after it.
class Stream {
 public:
  // `threads`: workers, besides the thread that reads. `progress` may be null.
  Stream(int threads, int tokens, ProgressCounts* progress, bool alone = false)
      : threads_(threads),
        alone_(alone),
        tokens_(tokens),
        progress_(progress != nullptr ? *progress : unused_),
        workers_(threads),
        arena_(alone ? 1 : threads, alone ? 1 : 0) {}

  // Calls build(graph), which makes nodes and edges. To be done once, first. When it throws, for lack of memory, tasks
  // of the nodes that were made may be queued: the stream is broken() then.
  template <class Build>
  void build(Build build) {
    if (!alone_) start_workers(arena_, threads_);
    try {
      arena_.execute([&] {
        graph_.emplace(context_);
        build(*graph_);
      });
    } catch (...) {
      broken_ = true;
      throw;
    }
  }

  // Puts a message into a node from outside of the graph or from another node's work. A graph in which this throws, for
  // lack of memory or of a thread, would wait for ever, so the process ends then.
  template <class Target, class Message>
  static void put(Target& node, Message message) noexcept {
    node.try_put(std::move(message));
  }

  // Calls put(block) for each block that next(), which returns a std::optional, gives: until it gives nothing, ended()
  // is true or the stream stops. Does not throw: returns what next() or put() threw.
  template <class Next, class Put, class Ended>
  std::exception_ptr read(Next next, Put put, Ended ended) {
    try {
      while (take_token(ended)) {
        auto block = next();
        if (!block) break;
        put(std::move(*block));
      }
    } catch (...) {
      return std::current_exception();
    }
    return nullptr;
  }
  void release(int tokens) { tokens_.release(tokens); }

  // For an async_node: calls start(finish), which starts work and has `finish` called, by any thread, exactly once, or
  // throws. finish(error, result) stops the stream when there is an error, else puts result() into the node's
  // successors.
  template <class Gateway, class Start>
  void hand_out(Gateway& gateway, Start start) {
    if (stopped()) return;
    gateway.reserve_wait();
    try {
      start([this, &gateway](const std::exception_ptr& error, auto result) {
        errors_.guarded([&] {
          if (error) std::rethrow_exception(error);
          put(gateway, result());
        });
        gateway.release_wait();
      });
    } catch (...) {
      errors_.fail(std::current_exception());
      gateway.release_wait();
    }
  }

  // Waits until the graph has nothing left to do. Throws what the graph itself threw, for lack of memory; the stream is
  // broken() then.
  void wait() {
    try {
      alone_ ? arena_.execute([this] { graph_->wait_for_all(); }) : graph_->wait_for_all();
    } catch (...) {
      broken_ = true;
      errors_.fail(std::current_exception());
      throw;
    }
  }
  // Whether tasks may still be queued although nothing waits for them. They point to the nodes, so neither nodes nor
  // stream may ever be destroyed; as the stream was stopped, the tasks do nothing.
  bool broken() const { return broken_; }
  // Calls work() with all workers: parallel loops in it run on them.
  template <class Work>
  void execute(Work work) {
    arena_.execute(work);
  }

  // Does the work of a node, unless the stream was stopped. Does not throw: an exception stops the stream.
  template <class Work>
  void guarded(Work work) {
    if (!stopped()) errors_.guarded(work);
  }
  // Whether the stream was stopped, by an error or by who watches the progress.
  bool stopped() {
    if (progress_.cancelled && !errors_.stopped()) errors_.fail(std::make_exception_ptr(Cancelled()));
    return errors_.stopped();
  }
  void fail(std::exception_ptr error) { errors_.fail(std::move(error)); }
  // After wait(): throws what stopped the stream, if anything did.
  void rethrow() const { errors_.rethrow(); }

  ProgressCounts& progress() { return progress_; }

 private:
  // False when reading is over. The wait ends now and then to check this: a failure inside the graph itself releases no
  // token.
  template <class Ended>
  bool take_token(Ended ended) {
    const auto over = [&] { return stopped() || context_.is_group_execution_cancelled() || ended(); };
    while (!over()) {
      if (alone_ ? tokens_.try_acquire() : tokens_.try_acquire_for(std::chrono::milliseconds(100))) return !over();
      if (alone_) wait();
    }
    return false;
  }

  const int threads_;
  const bool alone_;
  FirstError errors_;
  bool broken_ = false;
  std::counting_semaphore<> tokens_;
  ProgressCounts unused_;
  ProgressCounts& progress_;
  Workers workers_;
  tbb::task_arena arena_;
  tbb::task_group_context context_;
  std::optional<tbb::flow::graph> graph_;
};

// Makes a Pipeline, which has a graph, and returns what its run() does. A pipeline whose graph broke, see
// Stream::broken(), is never destroyed.
template <class Pipeline, class... Arguments>
auto run_pipeline_of(Arguments&&... arguments) {
  auto pipeline = std::make_unique<Pipeline>(std::forward<Arguments>(arguments)...);
  try {
    return pipeline->run();
  } catch (...) {
    if (pipeline->broken()) static_cast<void>(pipeline.release());
    throw;
  }
}

}  // namespace basesweep
