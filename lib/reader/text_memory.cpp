#include "lib/reader/text_memory.hpp"

#include <mutex>
#include <new>
#include <utility>
#include <vector>

namespace basesweep {

TextMemory::TextMemory(std::size_t bytes) : data(std::make_shared_for_overwrite<char[]>(bytes)), bytes(bytes) {}

struct TextMemoryPool::Free {
  using Piece = std::unique_ptr<char[]>;

  void put(char* memory) noexcept {
    Piece piece(memory);
    const std::lock_guard lock(mutex);
    if (over) return;
    try {
      pieces.push_back(std::move(piece));
    } catch (const std::bad_alloc&) {
      // The piece is freed.
    }
  }

  std::mutex mutex;
  std::vector<Piece> pieces;
  bool over = false;  // the pool is gone
};

TextMemoryPool::TextMemoryPool(std::size_t piece_bytes) : piece_bytes_(piece_bytes), free_(std::make_shared<Free>()) {}

TextMemoryPool::~TextMemoryPool() {
  const std::lock_guard lock(free_->mutex);
  free_->over = true;
  free_->pieces.clear();
}

TextMemory TextMemoryPool::take() {
  Free::Piece piece;
  {
    const std::lock_guard lock(free_->mutex);
    if (!free_->pieces.empty()) {
      piece = std::move(free_->pieces.back());
      free_->pieces.pop_back();
    }
  }
  if (piece == nullptr) piece.reset(new char[piece_bytes_]);  // make_unique() would set the bytes
  const auto put_back = [free = free_](char* memory) { free->put(memory); };
  return {std::shared_ptr<char[]>(piece.release(), put_back), piece_bytes_};
}

}  // namespace basesweep
