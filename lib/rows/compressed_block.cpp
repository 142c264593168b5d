#include "lib/rows/compressed_block.hpp"

#include <zstd.h>
#include <zstd_errors.h>

#include <algorithm>
#include <new>
#include <span>

#include "lib/base/per_thread.hpp"
#include "lib/reader/crc64.hpp"

namespace basesweep {
namespace {

// The only repeats in rows without letters are short. With matches shorter than these, blocks would be about 1 %
// smaller, and would take up to two and a half times as long.
constexpr int kLevel = 1;
constexpr int kMinMatch = 7;

// Blocks of more bytes are decompressed piece by piece.
constexpr std::uint64_t kMaxTrusted = kMaxBlockBytes;
constexpr std::size_t kPieceBytes = std::size_t{1} << 20;

std::uint64_t checksum_of(std::string_view bytes) {
  return crc64(std::as_bytes(std::span(bytes.data(), bytes.size())));
}

// Throws for an error of libzstd.
std::size_t checked(std::size_t result) {
  if (ZSTD_isError(result) == 0) return result;
  if (ZSTD_getErrorCode(result) == ZSTD_error_memory_allocation) throw std::bad_alloc();
  throw BlockFault(ZSTD_getErrorName(result));
}

ZSTD_CCtx* create_compressing() {
  ZSTD_CCtx* const context = ZSTD_createCCtx();
  if (context == nullptr) return nullptr;
  ZSTD_CCtx_setParameter(context, ZSTD_c_compressionLevel, kLevel);
  ZSTD_CCtx_setParameter(context, ZSTD_c_minMatch, kMinMatch);
  return context;
}

// A context of libzstd, made when it is needed first.
template <class Context, Context* (*Create)(), std::size_t (*Free)(Context*)>
class Lazy {
 public:
  Lazy() = default;
  Lazy(const Lazy&) = delete;
  Lazy& operator=(const Lazy&) = delete;
  ~Lazy() { Free(context_); }

  Context* get() {
    if (context_ == nullptr) context_ = Create();
    if (context_ == nullptr) throw std::bad_alloc();
    return context_;
  }

 private:
  Context* context_ = nullptr;
};

Text decompress_at_once(ZSTD_DCtx* context, const CompressedBlock& block) {
  Text raw;
  char* const to = raw.reserve(block.raw_bytes);
  const std::string_view from = block.bytes.view();
  raw.advance(to + checked(ZSTD_decompressDCtx(context, to, block.raw_bytes, from.data(), from.size())));
  return raw;
}

Text decompress_in_pieces(ZSTD_DCtx* context, const CompressedBlock& block) {
  Text raw;
  checked(ZSTD_DCtx_reset(context, ZSTD_reset_session_only));
  ZSTD_inBuffer from{block.bytes.view().data(), block.bytes.view().size(), 0};
  while (true) {
    ZSTD_outBuffer to{raw.reserve(kPieceBytes), kPieceBytes, 0};
    const bool whole = checked(ZSTD_decompressStream(context, &to, &from)) == 0;
    raw.advance(static_cast<char*>(to.dst) + to.pos);
    if (raw.view().size() > block.raw_bytes) throw BlockFault("it holds more bytes than it says");
    if (from.pos != from.size) continue;
    if (whole) return raw;
    if (to.pos < to.size) throw BlockFault("its compressed bytes end early");
  }
}

}  // namespace

struct BlockCompressor::Contexts {
  Lazy<ZSTD_CCtx, create_compressing, ZSTD_freeCCtx> compress;
  Lazy<ZSTD_DCtx, ZSTD_createDCtx, ZSTD_freeDCtx> decompress;
};

BlockCompressor::BlockCompressor() : contexts_(std::make_unique<Contexts>()) {}
BlockCompressor::~BlockCompressor() = default;
BlockCompressor::BlockCompressor(BlockCompressor&&) noexcept = default;
BlockCompressor& BlockCompressor::operator=(BlockCompressor&&) noexcept = default;

CompressedBlock BlockCompressor::compress(std::string_view raw, std::uint64_t rows) {
  CompressedBlock block{rows, raw.size(), 0, {}};
  const std::size_t room = ZSTD_compressBound(raw.size());
  char* const to = block.bytes.reserve(room);
  block.bytes.advance(to + checked(ZSTD_compress2(contexts_->compress.get(), to, room, raw.data(), raw.size())));
  block.checksum = checksum_of(block.bytes.view());
  return block;
}

Text BlockCompressor::decompress(const CompressedBlock& block) {
  if (checksum_of(block.bytes.view()) != block.checksum) throw BlockFault("it does not fit its checksum");
  ZSTD_DCtx* const context = contexts_->decompress.get();
  Text raw = block.raw_bytes <= kMaxTrusted ? decompress_at_once(context, block) : decompress_in_pieces(context, block);
  if (raw.view().size() != block.raw_bytes) throw BlockFault("it holds fewer bytes than it says");
  return raw;
}

CompressedBlock compress(std::string_view raw) { return per_thread<BlockCompressor>().compress(raw); }

CompressedBlock compress(const RowBlock& block) {
  return per_thread<BlockCompressor>().compress(block.bytes.view(), block.rows);
}

Text decompress(const CompressedBlock& block) { return per_thread<BlockCompressor>().decompress(block); }

std::uint64_t max_stored_bytes(std::uint64_t raw_bytes) { return ZSTD_compressBound(raw_bytes); }

}  // namespace basesweep
