#include "lib/reader/bgzf_run.hpp"

#include <fmt/format.h>
#include <isa-l/crc.h>
#include <isa-l/igzip_lib.h>

#include <algorithm>
#include <cstring>

#include "lib/reader/compressed_file.hpp"

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
  blocks_.push_back({offset, packed_end_, packed_end_ + size});
  packed_end_ += size;
  said_bytes_ += std::min<std::size_t>(said_bytes(blocks_.back()), kMaxBlockBytes);
}

void BgzfRun::clear() {
  packed_end_ = said_bytes_ = sound_ = 0;
  blocks_.clear();
  ends_empty_ = false;
  piece_ = {};
}

// The length of the text, as the block's trailer states it.
std::uint32_t BgzfRun::said_bytes(const Block& block) const {
  return number_at(packed_.data() + block.end - sizeof(std::uint32_t));
}

// HTSlib does not compare the lengths.
std::string BgzfRun::fault() const {
  if (code_ != ISAL_DECOMP_OK) return inflate_fault(code_);
  return fmt::format("wrong length: it says {} bytes of text and holds {}", said_bytes(blocks_[sound_]),
                     damaged_bytes_);
}

std::int64_t BgzfRun::end_offset() const {
  const Block& last = blocks_[sound_ - 1];
  return last.offset + static_cast<std::int64_t>(last.end - last.begin);
}

BgzfInflater::BgzfInflater() : state_(new inflate_state) {}

BgzfInflater::~BgzfInflater() = default;

void BgzfInflater::inflate(BgzfRun& run) noexcept {
  TextPiece& piece = run.piece_;
  piece.begin = piece.end = TextPiece::kRoom;
  for (const BgzfRun::Block& block : run.blocks_) {
    int code = 0;
    const std::size_t got =
        inflate(run.packed_.data() + block.begin, block.end - block.begin, piece.memory.data.get() + piece.end, code);
    if (code != ISAL_DECOMP_OK || got != run.said_bytes(block)) {
      run.code_ = code;
      run.damaged_bytes_ = got;
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
