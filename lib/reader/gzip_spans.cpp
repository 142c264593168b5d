#include "lib/reader/gzip_spans.hpp"

#include <new>
#include <system_error>
#include <utility>

namespace basesweep {

GzipSpans::GzipSpans(int threads, std::size_t piece_bytes) : threads_(static_cast<std::size_t>(threads)) {
  slots_.resize(2 * threads_ + 2);  // a thread inflates one, while another waits for the spans before it
  to_resolve_.reserve(slots_.size());
  set_pieces(piece_bytes);
}

void GzipSpans::set_pieces(std::size_t bytes) {
  room_.emplace(bytes);
  for (auto& slot : slots_) slot = std::make_unique<SpanState>(*room_);
}

void GzipSpans::find_records(RecordFinder finder) {
  const std::lock_guard lock(mutex_);
  finder_ = std::make_shared<const RecordFinder>(std::move(finder));
}

GzipSpans::~GzipSpans() {
  {
    const std::lock_guard lock(mutex_);
    over_ = true;
  }
  given_.notify_all();
}

bool GzipSpans::start() {
  helpers_.reserve(threads_);
  try {
    while (helpers_.size() < threads_) helpers_.emplace_back([this] { help(); });
  } catch (const std::system_error&) {
    // The system allows no more threads.
  }
  return helpers_.size() >= 2;
}

// A span that can be resolved comes first, since text in order waits for it.
void GzipSpans::help() {
  std::unique_lock lock(mutex_);
  while (true) {
    given_.wait(lock, [this] { return over_ || !to_resolve_.empty() || next_ != back_; });
    if (over_) return;
    const bool resolves = !to_resolve_.empty();
    SpanState& own = slot(resolves ? to_resolve_.front() : next_);
    if (resolves) {
      to_resolve_.erase(to_resolve_.begin());
    } else {
      ++next_;
    }
    ++busy_;
    const std::shared_ptr<const RecordFinder> finder = finder_;
    lock.unlock();
    if (resolves) {
      resolve_span(own, finder.get());
    } else {
      own.span.inflate_somewhere();
    }
    lock.lock();
    own.state = resolves ? State::resolved : State::inflated;
    --busy_;
    done_.notify_one();
  }
}

void GzipSpans::resolve_span(SpanState& own, const RecordFinder* finder) {
  own.sound = own.span.resolve(own.window);
  if (!own.sound || finder == nullptr) return;
  try {
    for (TextPiece& piece : own.span.pieces()) piece.found = (*finder)(piece.text());
  } catch (const std::bad_alloc&) {
    // The thread that cuts the text finds them.
  }
}

void GzipSpans::push() {
  {
    const std::lock_guard lock(mutex_);
    slot(back_).state = State::waiting;
    ++back_;
  }
  given_.notify_one();
}

bool GzipSpans::is(std::size_t number, State state) {
  const std::lock_guard lock(mutex_);
  return slot(number).state == state;
}

void GzipSpans::await(std::size_t number, State state) {
  std::unique_lock lock(mutex_);
  done_.wait(lock, [&] { return slot(number).state == state; });
}

bool GzipSpans::await_resolved(std::size_t number) {
  await(number, State::resolved);
  return slot(number).sound;
}

void GzipSpans::resolve(std::size_t number, std::vector<std::uint8_t> window) {
  slot(number).window = std::move(window);
  {
    const std::lock_guard lock(mutex_);
    slot(number).state = State::linked;
    to_resolve_.push_back(number);
  }
  given_.notify_one();
}

void GzipSpans::stop() {
  std::unique_lock lock(mutex_);
  next_ = back_;
  to_resolve_.clear();
  done_.wait(lock, [this] { return busy_ == 0; });
}

}  // namespace basesweep
