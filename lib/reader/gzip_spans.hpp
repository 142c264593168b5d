// Spans of a gzip file that are inflated side by side. Private to the reader.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "lib/reader/gzip_span.hpp"
#include "lib/reader/text_piece.hpp"

namespace basesweep {

// One thread puts spans of compressed data in at the back, links them in order once they are inflated, and takes them
// from the front once they are resolved. Helpers inflate and resolve.
class GzipSpans {
 public:
  // `threads`: the number of helpers. `piece_bytes`: of text in a piece.
  GzipSpans(int threads, std::size_t piece_bytes);
  ~GzipSpans();
  GzipSpans(const GzipSpans&) = delete;
  GzipSpans& operator=(const GzipSpans&) = delete;

  // Sets the bytes of text in a piece. To be called before start().
  void set_pieces(std::size_t bytes);
  // Has records looked for in pieces that no helper has resolved.
  void find_records(RecordFinder finder);

  // Starts the helpers. False if the system allows less than two.
  bool start();

  bool empty() const { return front_ == back_; }
  bool full() const { return back_ - front_ == slots_.size(); }
  // The number of the first span, and of the one to be put in next.
  std::size_t front() const { return front_; }
  std::size_t back() const { return back_; }
  PieceRoom& room() { return *room_; }
  GzipSpan& span(std::size_t number) { return slot(number).span; }

  // Puts in the span with the number back(), to be inflated.
  void push();
  void pop() { ++front_; }
  // Whether a helper has inflated the span, or has resolved it.
  bool is_inflated(std::size_t number) { return is(number, State::inflated); }
  bool is_resolved(std::size_t number) { return is(number, State::resolved); }
  // Waits for the same.
  void await_inflated(std::size_t number) { await(number, State::inflated); }
  // Returns whether the span could be resolved.
  bool await_resolved(std::size_t number);
  // Has an inflated span resolved. `window`: the text before it.
  void resolve(std::size_t number, std::vector<std::uint8_t> window);
  const std::vector<std::uint8_t>& window(std::size_t number) { return slot(number).window; }
  // Waits until no helper has anything to do with any span, and gives them nothing more to do.
  void stop();

 private:
  enum class State { waiting, inflated, linked, resolved };
  struct SpanState {
    explicit SpanState(PieceRoom& room) : span(room) {}

    GzipSpan span;
    State state = State::waiting;
    std::vector<std::uint8_t> window;
    bool sound = false;
  };
  SpanState& slot(std::size_t number) { return *slots_[number % slots_.size()]; }
  bool is(std::size_t number, State state);
  void await(std::size_t number, State state);
  void help();
  void resolve_span(SpanState& own, const RecordFinder* finder);

  std::optional<PieceRoom> room_;
  std::vector<std::unique_ptr<SpanState>> slots_;
  std::size_t front_ = 0;
  std::size_t back_ = 0;
  std::size_t next_ = 0;  // spans from next_ to back_ are still to be inflated
  std::vector<std::size_t> to_resolve_;
  std::size_t busy_ = 0;  // helpers
  bool over_ = false;
  std::shared_ptr<const RecordFinder> finder_;
  std::mutex mutex_;
  std::condition_variable given_;
  std::condition_variable done_;
  std::size_t threads_;
  std::vector<std::jthread> helpers_;
};

}  // namespace basesweep
