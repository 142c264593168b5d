#include "lib/reader/decoder.hpp"

#include <bzlib.h>
#include <fmt/format.h>
#include <lzma.h>
#include <zstd.h>
#include <zstd_errors.h>

#include <algorithm>
#include <limits>
#include <new>

namespace basesweep {
namespace {

// Removes from the front all but the last `left` bytes.
template <class Span>
void keep_last(Span& span, std::size_t left) {
  span = span.last(left);
}

class ZstdDecoder final : public Decoder {
 public:
  ZstdDecoder() : context_(ZSTD_createDCtx()) {
    if (context_ == nullptr) throw std::bad_alloc();
    constexpr int kWindowBits = std::numeric_limits<std::size_t>::digits - 1 - __builtin_clzll(kMaxDecoderBytes);
    ZSTD_DCtx_setParameter(context_.get(), ZSTD_d_windowLogMax, kWindowBits);
  }

  // The other bytes begin frames that hold no text, which decoders skip.
  bool begins_with(unsigned char byte) const override { return byte == 0x28 || (byte & 0xf0) == 0x50; }
  void begin() override { ZSTD_DCtx_reset(context_.get(), ZSTD_reset_session_only); }
  bool decode(std::span<const char>& in, std::span<char>& out) override {
    ZSTD_inBuffer from{in.data(), in.size(), 0};
    ZSTD_outBuffer to{out.data(), out.size(), 0};
    const std::size_t code = ZSTD_decompressStream(context_.get(), &to, &from);
    keep_last(in, in.size() - from.pos);
    keep_last(out, out.size() - to.pos);
    if (ZSTD_isError(code) != 0) fail(code);
    return code == 0;
  }

 private:
  struct Free {
    void operator()(ZSTD_DCtx* context) const noexcept { ZSTD_freeDCtx(context); }
  };

  [[noreturn]] static void fail(std::size_t code) {
    switch (ZSTD_getErrorCode(code)) {
      case ZSTD_error_memory_allocation: throw std::bad_alloc();
      case ZSTD_error_frameParameter_windowTooLarge:
        throw DecoderNeedsMemory(fmt::format(
            "a window of more than {} MiB: try 'zstd -dc --long=31 FILE | basesweep ...'", kMaxDecoderBytes >> 20));
      case ZSTD_error_dictionary_wrong: throw DecodeFault("it needs a dictionary");
      default: throw DecodeFault(ZSTD_getErrorName(code));
    }
  }

  std::unique_ptr<ZSTD_DCtx, Free> context_;
};

class Bzip2Decoder final : public Decoder {
 public:
  Bzip2Decoder() = default;
  Bzip2Decoder(const Bzip2Decoder&) = delete;
  Bzip2Decoder& operator=(const Bzip2Decoder&) = delete;
  ~Bzip2Decoder() override { BZ2_bzDecompressEnd(&stream_); }

  bool begins_with(unsigned char byte) const override { return byte == 'B'; }
  void begin() override {
    BZ2_bzDecompressEnd(&stream_);
    stream_ = {};
    if (BZ2_bzDecompressInit(&stream_, 0, 0) != BZ_OK) throw std::bad_alloc();
  }
  bool decode(std::span<const char>& in, std::span<char>& out) override {
    stream_.next_in = const_cast<char*>(in.data());  // NOLINT: libbz2 does not write to it
    stream_.avail_in = static_cast<unsigned>(in.size());
    stream_.next_out = out.data();
    stream_.avail_out = static_cast<unsigned>(out.size());
    const int code = BZ2_bzDecompress(&stream_);
    keep_last(in, stream_.avail_in);
    keep_last(out, stream_.avail_out);
    switch (code) {
      case BZ_OK: return false;
      case BZ_STREAM_END: return true;
      case BZ_MEM_ERROR: throw std::bad_alloc();
      case BZ_DATA_ERROR_MAGIC: throw DecodeFault("invalid header");
      default: throw DecodeFault("invalid block or wrong checksum");
    }
  }

 private:
  bz_stream stream_{};
};

class XzDecoder final : public Decoder {
 public:
  XzDecoder() = default;
  XzDecoder(const XzDecoder&) = delete;
  XzDecoder& operator=(const XzDecoder&) = delete;
  ~XzDecoder() override { lzma_end(&stream_); }

  bool begins_with(unsigned char byte) const override { return byte == 0xfd; }
  std::size_t padding() const override { return 4; }
  void begin() override {
    // Besides the dictionary a decoder needs less than 1 MiB.
    constexpr std::uint64_t kMemory = kMaxDecoderBytes + (std::uint64_t{1} << 20);
    if (lzma_stream_decoder(&stream_, kMemory, LZMA_TELL_UNSUPPORTED_CHECK) != LZMA_OK) throw std::bad_alloc();
  }
  bool decode(std::span<const char>& in, std::span<char>& out) override {
    stream_.next_in = reinterpret_cast<const std::uint8_t*>(in.data());
    stream_.avail_in = in.size();
    stream_.next_out = reinterpret_cast<std::uint8_t*>(out.data());
    stream_.avail_out = out.size();
    const lzma_ret code = lzma_code(&stream_, LZMA_RUN);
    keep_last(in, stream_.avail_in);
    keep_last(out, stream_.avail_out);
    switch (code) {
      case LZMA_OK: return false;
      case LZMA_BUF_ERROR: return false;  // there was nothing to do
      case LZMA_STREAM_END: return true;
      case LZMA_MEM_ERROR: throw std::bad_alloc();
      case LZMA_MEMLIMIT_ERROR:
        throw DecoderNeedsMemory(
            fmt::format("a dictionary of more than {} MiB: try 'xz -dc FILE | basesweep ...'", kMaxDecoderBytes >> 20));
      case LZMA_FORMAT_ERROR: throw DecodeFault("invalid header");
      case LZMA_UNSUPPORTED_CHECK: throw DecodeFault("unknown kind of checksum");
      case LZMA_OPTIONS_ERROR: throw DecodeFault("unknown options");
      default: throw DecodeFault("invalid block or wrong checksum");
    }
  }

 private:
  lzma_stream stream_ = LZMA_STREAM_INIT;
};

}  // namespace

std::unique_ptr<Decoder> make_decoder(Compression compression) {
  switch (compression) {
    case Compression::zstd: return std::make_unique<ZstdDecoder>();
    case Compression::bzip2: return std::make_unique<Bzip2Decoder>();
    case Compression::xz: return std::make_unique<XzDecoder>();
    default: throw std::logic_error("no decoder for this compression");
  }
}

}  // namespace basesweep
