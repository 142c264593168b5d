#include "lib/writer/cram_sink.hpp"

#include <cassert>
#include <cstdint>
#include <cstring>

namespace basesweep {
namespace {

std::size_t size_at(std::string_view bytes) {
  std::int32_t size = 0;
  assert(bytes.size() >= sizeof size);
  std::memcpy(&size, bytes.data(), sizeof size);
  return static_cast<std::size_t>(size);
}

// How many of the bytes are whole records.
std::size_t whole_records(std::string_view bytes) {
  std::size_t end = 0;
  while (bytes.size() - end >= sizeof(std::int32_t)) {
    const std::size_t next = end + sizeof(std::int32_t) + size_at(bytes.substr(end));
    if (next > bytes.size()) break;
    end = next;
  }
  return end;
}

}  // namespace

void CramSink::write(std::string_view bytes) {
  if (!has_header_) {
    // The magic number, the size of the text, the text, and the records, which the text lists too.
    constexpr std::size_t kMagicBytes = 4;
    bytes.remove_prefix(kMagicBytes);
    file_.write_header(std::string(bytes.substr(sizeof(std::int32_t), size_at(bytes))));
    has_header_ = true;
    return;
  }
  if (!rest_.empty()) {
    rest_.append(bytes);
    bytes = rest_;
  }
  const std::size_t whole = whole_records(bytes);
  file_.write(bytes.substr(0, whole));
  rest_ = std::string(bytes.substr(whole));
}

}  // namespace basesweep
