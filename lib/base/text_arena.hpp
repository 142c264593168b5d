// Memory for many short texts that live equally long.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <string_view>
#include <vector>

namespace basesweep {

// Texts keep their place until the arena is destroyed, also when it is moved.
class TextArena {
 public:
  // Room for a text of `size` bytes.
  char* take(std::size_t size) {
    if (left_ < size) {
      left_ = std::max(size, kBlockBytes);
      blocks_.push_back(std::make_unique_for_overwrite<char[]>(left_));
      next_ = blocks_.back().get();
    }
    char* const taken = next_;
    next_ += size;
    left_ -= size;
    return taken;
  }
  std::string_view keep(std::string_view text) {
    char* const to = take(text.size());
    std::copy(text.begin(), text.end(), to);
    return {to, text.size()};
  }

 private:
  static constexpr std::size_t kBlockBytes = std::size_t{1} << 14;

  std::vector<std::unique_ptr<char[]>> blocks_;
  char* next_ = nullptr;
  std::size_t left_ = 0;
};

}  // namespace basesweep
