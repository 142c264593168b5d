#include "lib/reader/bgzf_run.hpp"

#include <fmt/format.h>
#include <isa-l/crc.h>
#include <isa-l/igzip_lib.h>

#include <algorithm>
#include <cstring>

#include "lib/base/error.hpp"
#include "lib/reader/compressed_file.hpp"
#include "lib/reader/input_file.hpp"

namespace basesweep {
namespace {

std::uint32_t number_at(const unsigned char* bytes) {
  std::uint32_t number = 0;
  std::memcpy(&number, bytes, sizeof number);
  return number;
}

}  // namespace

unsigned char* BgzfRun::next(std::size_t size) {
  if (packed_.size() < packed_end_ + size) packed_.resize(std::max(packed_end_ + size, 2 * packed_.size()));
  return packed_.data() + packed_end_;
}

void BgzfRun::add(std::size_t size, std::int64_t offset) {
  add_block(size, offset, number_at(packed_.data() + packed_end_ + size - sizeof(std::uint32_t)));
}

void BgzfRun::add_stored(const std::shared_ptr<const InputFile>& stored, std::size_t size, std::int64_t offset,
                         std::uint32_t said_bytes) {
  stored_ = stored;
  add_block(size, offset, said_bytes);
}

void BgzfRun::add_block(std::size_t size, std::int64_t offset, std::uint32_t said_bytes) {
  blocks_.push_back({offset, packed_end_, packed_end_ + size, said_bytes});
  packed_end_ += size;
  said_bytes_ += std::min<std::size_t>(said_bytes, kMaxBlockBytes);
}

// Reads blocks that follow each other, at once if that is possible. Otherwise the blocks before the first that cannot
// be read are kept.
void BgzfRun::read_stored() {
  if (packed_.size() < packed_end_) packed_.resize(packed_end_);
  char* const to = reinterpret_cast<char*>(packed_.data());
  try {
    stored_->read_at(to, packed_end_, blocks_.front().offset);
    return;
  } catch (const IoError&) {
    readable_ = 0;
  }
  try {
    for (; readable_ < blocks_.size(); ++readable_) {
      const Block& block = blocks_[readable_];
      stored_->read_at(to + block.begin, block.end - block.begin, block.offset);
    }
  } catch (const IoError&) {
    read_fault_ = std::current_exception();
  }
}

void BgzfRun::clear() {
  packed_end_ = said_bytes_ = sound_ = 0;
  blocks_.clear();
  stored_.reset();
  read_fault_ = nullptr;
  ends_empty_ = false;
  piece_ = {};
}

// HTSlib does not compare the lengths.
std::string BgzfRun::fault() const {
  if (code_ != ISAL_DECOMP_OK) return inflate_fault(code_);
  return fmt::format("wrong length: it says {} bytes of text and holds {}", blocks_[sound_].said_bytes, damaged_bytes_);
}

std::int64_t BgzfRun::end_offset() const {
  const Block& last = blocks_[sound_ - 1];
  return last.offset + static_cast<std::int64_t>(last.end - last.begin);
}

BgzfInflater::BgzfInflater() : state_(new inflate_state) {}

BgzfInflater::~BgzfInflater() = default;

void BgzfInflater::make(BgzfRun& run) noexcept {
  TextPiece& piece = run.piece_;
  piece.begin = piece.end = TextPiece::kRoom;
  run.readable_ = run.blocks_.size();
  if (run.stored_ != nullptr) {
    try {
      run.read_stored();
    } catch (...) {  // no memory
      run.readable_ = 0;
      run.read_fault_ = std::current_exception();
    }
  }
  for (std::size_t i = 0; i < run.readable_; ++i) {
    const BgzfRun::Block& block = run.blocks_[i];
    int code = 0;
    const std::size_t got =
        inflate(run.packed_.data() + block.begin, block.end - block.begin, piece.memory.data.get() + piece.end, code);
    if (code != ISAL_DECOMP_OK || got != block.said_bytes) {
      run.code_ = code;
      run.damaged_bytes_ = got;
      run.read_fault_ = nullptr;
      return;
    }
    piece.end += got;
    ++run.sound_;
    run.ends_empty_ = got == 0;
  }
}

// Inflates a block to `text`, where kMaxBlockBytes may be written, and returns how many its text has.
std::size_t BgzfInflater::inflate(const unsigned char* packed, std::size_t size, char* text, int& code) noexcept {
  const std::size_t deflated = size - BgzfRun::kHeaderBytes - BgzfRun::kTrailerBytes;
  auto* const to = reinterpret_cast<std::uint8_t*>(text);
  isal_inflate_init(state_.get());
  state_->next_in = const_cast<std::uint8_t*>(packed) + BgzfRun::kHeaderBytes;
  state_->avail_in = static_cast<std::uint32_t>(deflated);
  state_->next_out = to;
  state_->avail_out = BgzfRun::kMaxBlockBytes;
  code = isal_inflate_stateless(state_.get());
  const std::size_t got = BgzfRun::kMaxBlockBytes - state_->avail_out;
  if (code == ISAL_DECOMP_OK && crc32_gzip_refl(0, to, got) != number_at(packed + BgzfRun::kHeaderBytes + deflated))
    code = ISAL_INCORRECT_CHECKSUM;
  return got;
}

}  // namespace basesweep
