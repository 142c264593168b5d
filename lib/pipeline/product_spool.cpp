#include "lib/pipeline/product_spool.hpp"

#include <algorithm>
#include <cstring>

namespace basesweep {
namespace {

constexpr std::size_t kBufferBytes = std::size_t{1} << 20;

}  // namespace

void ProductSpool::add(const ProductEntry& entry, std::string_view text) {
  char bytes[sizeof entry] = {};
  std::memcpy(bytes, &entry, sizeof entry);
  buffer_.append(bytes, sizeof bytes);
  buffer_ += text;
  if (buffer_.size() >= kBufferBytes) finish();
}

void ProductSpool::finish() {
  if (buffer_.empty()) return;
  file_.append(buffer_);
  size_ += static_cast<std::int64_t>(buffer_.size());
  buffer_.clear();
}

void ProductSpool::Walk::read(char* to, std::size_t size) {
  while (size != 0) {
    if (at_ == buffer_.size()) {
      buffer_.resize(std::min<std::size_t>(kBufferBytes, static_cast<std::size_t>(spool_.size_ - offset_)));
      spool_.file_.read_at(offset_, buffer_.data(), buffer_.size());
      offset_ += static_cast<std::int64_t>(buffer_.size());
      at_ = 0;
    }
    const std::size_t part = std::min(size, buffer_.size() - at_);
    std::memcpy(to, buffer_.data() + at_, part);
    to += part;
    at_ += part;
    size -= part;
  }
}

bool ProductSpool::Walk::next(ProductEntry& entry, std::string* text) {
  if (at_ == buffer_.size() && offset_ == spool_.size_) return false;
  read(reinterpret_cast<char*>(&entry), sizeof entry);
  std::string unused;
  std::string& to = text != nullptr ? *text : unused;
  to.resize(entry.text_bytes);
  read(to.data(), to.size());
  return true;
}

}  // namespace basesweep
