// Blocks of BGZF that follow each other. Private to the reader.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <string>
#include <vector>

#include "lib/reader/text_piece.hpp"

struct inflate_state;  // ISA-L's

namespace basesweep {

class BgzfInflater;
class InputFile;

// A block is a gzip member of at most 64 KiB that says how long it is, so blocks can be inflated side by side. A run is
// what one thread inflates, into one piece of text.
class BgzfRun {
 public:
  using Maker = BgzfInflater;
  static constexpr std::size_t kMaxBlockBytes = 1U << 16;  // packed, and of text
  static constexpr std::size_t kHeaderBytes = 18;
  static constexpr std::size_t kTrailerBytes = 8;  // checksum and length of the text

  // Whether a further block of the largest size can be added, if the run is to have at most `bytes` of text, and hardly
  // more packed, which matters where blocks are tiny.
  bool has_room(std::size_t bytes) const {
    return blocks_.empty() || std::max(said_bytes_, packed_end_) + kMaxBlockBytes <= bytes;
  }
  // Where to put the first `size` bytes of the next block. They stay there if this is called again for more.
  unsigned char* next(std::size_t size);
  // Adds the next block, which is `size` bytes long. `offset`: of the block in the compressed file.
  void add(std::size_t size, std::int64_t offset);
  // The same for a block that whoever inflates the run reads from `stored`, the compressed file. `said_bytes`: of its
  // text, as the block states it. A run has only blocks of one kind.
  void add_stored(const std::shared_ptr<const InputFile>& stored, std::size_t size, std::int64_t offset,
                  std::uint32_t said_bytes);
  void clear();
  bool empty() const { return blocks_.empty(); }

  // Where a run of at most `bytes` of text is inflated to.
  static std::size_t memory_bytes(std::size_t bytes) { return TextPiece::kRoom + bytes + kMaxBlockBytes; }
  void set_memory(TextMemory memory) { piece_.memory = std::move(memory); }

  // The inflated text of all blocks before the first that is damaged.
  const TextPiece& piece() const { return piece_; }
  TextPiece take_piece() { return std::move(piece_); }
  void set_found(FoundRecords found) { piece_.found = std::move(found); }
  bool damaged() const { return sound_ < blocks_.size(); }
  // Why the block after the sound ones could not be read, if that is so.
  const std::exception_ptr& read_fault() const { return read_fault_; }
  // The damaged block: where it begins in the file, and what is wrong with it, as part of a message.
  std::int64_t damaged_offset() const { return blocks_[sound_].offset; }
  std::string fault() const;
  // Where the last sound block ends in the file, and whether it has no text. There must be one.
  std::int64_t end_offset() const;
  bool ends_empty() const { return ends_empty_; }
  bool any_sound() const { return sound_ != 0; }

 private:
  friend class BgzfInflater;
  struct Block {
    std::int64_t offset;
    std::size_t begin, end;    // in packed_
    std::uint32_t said_bytes;  // of text, as it states
  };

  void add_block(std::size_t size, std::int64_t offset, std::uint32_t said_bytes);
  void read_stored();

  std::shared_ptr<const InputFile> stored_;  // null: packed_ holds the blocks
  std::exception_ptr read_fault_;
  std::vector<unsigned char> packed_;  // only grows
  std::size_t packed_end_ = 0;         // of the last block
  std::vector<Block> blocks_;
  std::size_t said_bytes_ = 0;  // of text, as the blocks state it
  TextPiece piece_;
  std::size_t readable_ = 0;       // blocks that could be read
  std::size_t sound_ = 0;          // blocks
  bool ends_empty_ = false;        // the last of them
  int code_ = 0;                   // ISA-L's, of the block after them
  std::size_t damaged_bytes_ = 0;  // of text in it
};

// Inflates runs, one at a time.
class BgzfInflater {
 public:
  BgzfInflater();
  ~BgzfInflater();

  // The run must have memory for its text. Reads its blocks first where they are still in the file.
  void make(BgzfRun& run) noexcept;

 private:
  std::size_t inflate(const unsigned char* packed, std::size_t size, char* text, int& code) noexcept;

  std::unique_ptr<inflate_state> state_;
};

}  // namespace basesweep
