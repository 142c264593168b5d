// Memory for text. Private to the reader.
#pragma once

#include <cstddef>
#include <memory>

namespace basesweep {

// Memory whose bytes are not set beforehand. Blocks share it, and the last one frees it.
struct TextMemory {
  TextMemory() = default;
  // Throws std::bad_alloc.
  explicit TextMemory(std::size_t bytes);
  TextMemory(std::shared_ptr<char[]> data, std::size_t bytes) : data(std::move(data)), bytes(bytes) {}

  std::shared_ptr<char[]> data;
  std::size_t bytes = 0;
};

// Pieces of memory of one size. A piece that nobody holds any more is handed out again: fresh memory from the system
// costs about as much time as filling it.
class TextMemoryPool {
 public:
  explicit TextMemoryPool(std::size_t piece_bytes);
  ~TextMemoryPool();
  TextMemoryPool(const TextMemoryPool&) = delete;
  TextMemoryPool& operator=(const TextMemoryPool&) = delete;

  // A piece, which may outlive the pool. Throws std::bad_alloc.
  TextMemory take();

 private:
  struct Free;
  std::size_t piece_bytes_;
  std::shared_ptr<Free> free_;
};

}  // namespace basesweep
