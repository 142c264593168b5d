#include "lib/reader/pending_text.hpp"

#include <algorithm>
#include <new>
#include <utility>

namespace basesweep {
namespace {

constexpr std::size_t kStep = std::size_t{1} << 22;

}  // namespace

void PendingText::expect(std::size_t size) {
  if (bytes_.capacity() >= size) return;
  const std::int64_t whole = file_->size();  // -1: not known
  if (whole >= 0) size = std::min(size, static_cast<std::size_t>(std::max<std::int64_t>(whole - offset_, 0)) + kStep);
  try {
    bytes_.reserve(size);
  } catch (const std::bad_alloc&) {
    // Room is made as it is needed.
  }
}

void PendingText::read_to(std::size_t size) {
  std::size_t have = bytes_.size();
  if (all_read_ || have >= size) return;
  try {
    while (have < size && !all_read_) {
      // Memory is used only as text comes.
      const auto wanted = static_cast<std::size_t>(
          std::min<std::uint64_t>(std::min(size - have, kStep), static_cast<std::uint64_t>(unread_)));
      bytes_.resize(have + wanted);
      const std::size_t got = wanted == 0 ? 0 : file_->read(bytes_.data() + have, wanted);
      have += got;
      unread_ -= static_cast<std::int64_t>(got);
      all_read_ = got == 0;
    }
  } catch (...) {
    fault_ = std::current_exception();
    all_read_ = true;
  }
  bytes_.resize(have);
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
