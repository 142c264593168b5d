#include "lib/writer/bgzf_writer.hpp"

#include <algorithm>
#include <array>
#include <new>
#include <utility>

#include "lib/writer/bgzf_block.hpp"

namespace basesweep {
namespace {

constexpr std::size_t kTextBytes = CompressionPool::kTextBytes;

}  // namespace

BgzfWriter::BgzfWriter(std::shared_ptr<CompressionPool> pool, CompressionPool::Sink sink, int level)
    : pool_(std::move(pool)), stream_{.sink = std::move(sink), .level = level} {}

// Has a block compressed: the rest, and `more` after it.
void BgzfWriter::push(std::string_view more) {
  CompressionPool::Block& block = pool_->take_block();
  std::copy(more.begin(), more.end(), std::copy(rest_.begin(), rest_.end(), block.text.begin()));
  block.text_size = rest_.size() + more.size();
  std::vector<char>().swap(rest_);  // frees the memory, which many files that wait would keep
  pool_->push(stream_, block);
}

void BgzfWriter::write(std::string_view text) {
  while (rest_.size() + text.size() >= kTextBytes) {
    const std::size_t size = kTextBytes - rest_.size();
    push(text.substr(0, size));
    text.remove_prefix(size);
  }
  const std::size_t size = rest_.size() + text.size();
  if (size > rest_.capacity()) rest_.reserve(std::min(kTextBytes, std::max(size, 2 * rest_.capacity())));
  rest_.insert(rest_.end(), text.begin(), text.end());
}

void BgzfWriter::finish() {
  if (!rest_.empty()) push({});
  pool_->finish(stream_);
  std::array<char, 64> end{};  // of an empty block, which takes 28 bytes
  const std::size_t size = compress_bgzf_block({}, stream_.level, end.data(), end.size());
  if (size == 0) throw std::bad_alloc();
  stream_.sink({end.data(), size});
}

}  // namespace basesweep
