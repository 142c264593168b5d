#include "lib/reader/pending_text.hpp"

#include <utility>

namespace basesweep {

void PendingText::read_to(std::size_t size) {
  const std::size_t old = bytes_.size();
  if (all_read_ || old >= size) return;
  bytes_.resize(size);
  const std::size_t got = file_->read(bytes_.data() + old, size - old);
  bytes_.resize(old + got);
  all_read_ = got < size - old;
}

void PendingText::drop(std::size_t size) {
  bytes_.erase(bytes_.begin(), bytes_.begin() + static_cast<std::ptrdiff_t>(size));
  offset_ += static_cast<std::int64_t>(size);
}

void PendingText::give(RawBlock& block, std::size_t size, std::size_t next_bytes) {
  std::vector<char> rest;
  rest.reserve(next_bytes);
  rest.assign(bytes_.begin() + static_cast<std::ptrdiff_t>(size), bytes_.end());
  bytes_.resize(size);
  block.bytes = std::exchange(bytes_, std::move(rest));
  block.size = size;
  block.file_offset = offset_;
  offset_ += static_cast<std::int64_t>(size);
}

}  // namespace basesweep
