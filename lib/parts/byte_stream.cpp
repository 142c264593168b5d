#include "lib/parts/byte_stream.hpp"

#include <algorithm>
#include <cstring>

#include "lib/reader/whole_text.hpp"

namespace basesweep {
namespace {

constexpr std::size_t kBufferBytes = std::size_t{1} << 18;

}  // namespace

ByteStream::ByteStream(const std::string& path, std::size_t max_line)
    : file_(InputFile::open(path, 1)), buffer_(kBufferBytes), max_line_(max_line) {
  constexpr std::size_t kMarkBytes = 3;
  begin_ = byte_order_mark(peek(kMarkBytes));
}

// Reads more into the buffer; false at the end of the file.
bool ByteStream::fill() {
  if (begin_ > 0) {
    std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
    end_ -= begin_;
    begin_ = 0;
  }
  if (end_ == buffer_.size()) buffer_.resize(2 * buffer_.size());
  const std::size_t got = file_->read(buffer_.data() + end_, buffer_.size() - end_);
  end_ += got;
  return got != 0;
}

std::string_view ByteStream::line() {
  ++lines_;
  std::size_t searched = 0;
  while (true) {
    const char* from = buffer_.data() + begin_;
    const void* found = std::memchr(from + searched, '\n', end_ - begin_ - searched);
    if (found != nullptr) return bytes(static_cast<std::size_t>(static_cast<const char*>(found) - from) + 1);
    searched = end_ - begin_;
    if (searched > max_line_) throw line_too_long(file_->path(), lines_, max_line_);
    if (!fill()) return bytes(searched);
  }
}

std::string_view ByteStream::peek(std::size_t count) {
  while (end_ - begin_ < count && fill()) {
  }
  return {buffer_.data() + begin_, std::min(count, end_ - begin_)};
}

std::string_view ByteStream::bytes(std::size_t count) {
  const std::string_view taken = peek(count);
  begin_ += taken.size();
  return taken;
}

std::string_view ByteStream::some() {
  if (begin_ == end_ && !fill()) return {};
  return bytes(end_ - begin_);
}

}  // namespace basesweep
