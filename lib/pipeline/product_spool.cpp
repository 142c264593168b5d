#include "lib/pipeline/product_spool.hpp"

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
  buffer_.clear();
}

ProductSpool::Walk::Walk(const ProductSpool& spool) : reader_(spool.file_, kBufferBytes) {}

bool ProductSpool::Walk::next(ProductEntry& entry, std::string* text) {
  if (reader_.at_end()) return false;
  reader_.read(reinterpret_cast<char*>(&entry), sizeof entry);
  std::string unused;
  std::string& to = text != nullptr ? *text : unused;
  to.resize(entry.text_bytes);
  reader_.read(to.data(), to.size());
  return true;
}

}  // namespace basesweep
