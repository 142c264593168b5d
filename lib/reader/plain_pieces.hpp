// Pieces of a plain file, read by helpers. Private to the reader.
#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <utility>

#include "lib/reader/input_file.hpp"
#include "lib/reader/run_queue.hpp"
#include "lib/reader/text_piece.hpp"

namespace basesweep {

class PlainReader;

// A stretch of the file.
class PlainRun {
 public:
  using Maker = PlainReader;

  void set(std::int64_t offset, std::size_t size, const InputFile& file) {
    offset_ = offset;
    size_ = size;
    file_ = &file;
  }
  void set_memory(TextMemory memory) { piece_.memory = std::move(memory); }
  void clear() {
    piece_ = {};
    fault_ = nullptr;
  }
  const TextPiece& piece() const { return piece_; }
  TextPiece take_piece() { return std::move(piece_); }
  void set_found(FoundRecords found) { piece_.found = std::move(found); }
  const std::exception_ptr& fault() const { return fault_; }  // set: the piece is empty

 private:
  friend class PlainReader;
  const InputFile* file_ = nullptr;
  std::int64_t offset_ = 0;
  std::size_t size_ = 0;
  TextPiece piece_;
  std::exception_ptr fault_;
};

class PlainReader {
 public:
  static void make(PlainRun& run) noexcept;
};

class PlainPieces {
 public:
  static constexpr std::size_t kMinPiece = std::size_t{1} << 17;

  // `file` is seekable and outlives the pieces. They begin at `offset` and have at most `bytes`, at least kMinPiece.
  // `threads`: those of the run.
  PlainPieces(const InputFile& file, std::int64_t offset, std::size_t bytes, int threads);

  // See InputFile.
  TextPiece next();
  void find_records(RecordFinder finder) { queue_.find_records(std::move(finder)); }

 private:
  const InputFile& file_;
  const std::size_t bytes_;
  std::int64_t offset_;  // where the next run begins
  bool begun_ = false;
  bool handing_out_ = false;  // the first run in the queue
  RunQueue<PlainRun> queue_;
};

}  // namespace basesweep
