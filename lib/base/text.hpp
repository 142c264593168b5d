// A growing buffer of bytes.
#pragma once

#include <cstddef>
#include <memory>
#include <string_view>
#include <utility>

namespace basesweep {

// Unlike std::string it does not set new bytes to 0.
class Text {
 public:
  Text() = default;
  Text(Text&& other) noexcept { *this = std::move(other); }
  Text& operator=(Text&& other) noexcept {
    data_ = std::move(other.data_);
    size_ = std::exchange(other.size_, 0);
    capacity_ = std::exchange(other.capacity_, 0);
    return *this;
  }

  // Makes room for `bytes` more and returns where to write them. Then call advance() with the place behind the last.
  char* reserve(std::size_t bytes) {
    if (capacity_ - size_ < bytes) grow(size_ + bytes);
    return data_.get() + size_;
  }
  void advance(char* end) { size_ = static_cast<std::size_t>(end - data_.get()); }
  void append(std::string_view bytes);
  std::string_view view() const { return {data_.get(), size_}; }

 private:
  void grow(std::size_t min_bytes);

  std::unique_ptr<char[]> data_;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
};

}  // namespace basesweep
