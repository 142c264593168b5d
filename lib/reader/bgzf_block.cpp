#include "lib/reader/bgzf_block.hpp"

#include <fmt/format.h>
#include <isa-l/crc.h>
#include <isa-l/igzip_lib.h>

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

std::uint32_t BgzfBlock::said_bytes() const { return number_at(packed.data() + packed.size() - sizeof(std::uint32_t)); }

// HTSlib does not compare the lengths.
std::string BgzfBlock::fault() const {
  if (code != ISAL_DECOMP_OK) return inflate_fault(code);
  if (said_bytes() == text_bytes) return "";
  return fmt::format("wrong length: it says {} bytes of text and holds {}", said_bytes(), text_bytes);
}

BgzfInflater::BgzfInflater() : state_(new inflate_state) {}

BgzfInflater::~BgzfInflater() = default;

void BgzfInflater::inflate(BgzfBlock& block) noexcept {
  const std::size_t deflated = block.packed.size() - BgzfBlock::kHeaderBytes - BgzfBlock::kTrailerBytes;
  auto* const text = reinterpret_cast<std::uint8_t*>(block.inflated.data());
  isal_inflate_init(state_.get());
  state_->next_in = block.packed.data() + BgzfBlock::kHeaderBytes;
  state_->avail_in = static_cast<std::uint32_t>(deflated);
  state_->next_out = text;
  state_->avail_out = static_cast<std::uint32_t>(block.inflated.size());
  block.code = isal_inflate_stateless(state_.get());
  block.text_bytes = block.inflated.size() - state_->avail_out;
  if (block.code == ISAL_DECOMP_OK &&
      crc32_gzip_refl(0, text, block.text_bytes) != number_at(block.packed.data() + BgzfBlock::kHeaderBytes + deflated))
    block.code = ISAL_INCORRECT_CHECKSUM;
}

}  // namespace basesweep
