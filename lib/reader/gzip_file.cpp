#include <fmt/format.h>
#include <htslib/hfile.h>
#include <isa-l/igzip_lib.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "lib/base/error.hpp"
#include "lib/reader/compressed_file.hpp"
#include "lib/reader/gzip_resume.hpp"
#include "lib/reader/url_wait.hpp"

namespace basesweep {
namespace {

constexpr std::size_t kInputBytes = 1U << 18;

class GzipFile final : public InputFile {
 public:
  GzipFile(const std::string& path, Stream stream, std::int64_t bytes, GzipResume resume)
      : InputFile(path),
        stream_(std::move(stream)),
        bytes_(bytes),
        ahead_(std::move(resume.ahead)),
        stream_fault_(std::move(resume.fault)),
        input_(kInputBytes),
        inflate_(std::make_unique<inflate_state>()),
        compressed_bytes_(resume.offset) {
    isal_inflate_init(inflate_.get());
    inflate_->crc_flag = ISAL_GZIP;
    inflate_->avail_in = 0;
    if (resume.inside) {
      go_on(*resume.inside);
    } else if (resume.offset != 0) {
      inflate_->block_state = ISAL_BLOCK_FINISH;
    }
  }

  std::size_t read(char* to, std::size_t size) override {
    while (!at_end_) {
      std::size_t got = 0;
      if (fault_ != 0) {
        got = take_held_back(to, size);
      } else if (inflate_->block_state == ISAL_BLOCK_FINISH) {
        start_next_member();
      } else {
        got = inflate(to, size);
      }
      if (got != 0) return got;
    }
    return 0;
  }
  Compression compression() const override { return Compression::gzip; }
  std::int64_t stored_bytes_read() const override { return compressed_offset(); }

 private:
  void go_on(GzipResume::Inside& inside) {
    inflate_->crc_flag = ISAL_GZIP_NO_HDR_VER;
    isal_inflate_set_dict(inflate_.get(), inside.window.data(), static_cast<std::uint32_t>(inside.window.size()));
    inflate_->crc = inside.crc;
    inflate_->total_out = inside.text_bytes;
    if (inside.bit == 0 || !refill()) return;
    inflate_->read_in = *inflate_->next_in++ >> inside.bit;
    inflate_->read_in_length = static_cast<std::int32_t>(8 - inside.bit);
    --inflate_->avail_in;
  }

  // Reads more compressed data; false at their end. The data end at the same places however many were there ahead, so
  // that ISA-L finds a fault at the same byte.
  bool refill() {
    if (ahead_used_ < ahead_.size()) {
      const std::size_t wanted = kInputBytes - static_cast<std::size_t>(compressed_bytes_) % kInputBytes;
      const std::size_t size = std::min(wanted, ahead_.size() - ahead_used_);
      inflate_->next_in = ahead_.data() + ahead_used_;
      inflate_->avail_in = static_cast<std::uint32_t>(size);
      ahead_used_ += size;
      compressed_bytes_ += static_cast<std::int64_t>(size);
      return true;
    }
    if (stream_fault_) std::rethrow_exception(stream_fault_);
    const UrlWait wait(path());
    const ssize_t got = hread(stream_.get(), input_.data(), input_.size());
    if (got < 0) throw IoError(path(), "cannot read", errno);
    inflate_->next_in = input_.data();
    inflate_->avail_in = static_cast<std::uint32_t>(got);
    compressed_bytes_ += got;
    return got > 0;
  }

  std::int64_t compressed_offset() const { return compressed_bytes_ - inflate_->avail_in; }

  std::size_t inflate(char* to, std::size_t size) {
    const bool input_ended = inflate_->avail_in == 0 && !refill();
    const auto room = static_cast<std::uint32_t>(std::min<std::size_t>(size, std::numeric_limits<std::int32_t>::max()));
    inflate_->next_out = reinterpret_cast<std::uint8_t*>(to);
    inflate_->avail_out = room;
    const int code = isal_inflate(inflate_.get());
    if (code < 0 || code == ISAL_NEED_DICT) fault_ = code;
    // At a fault avail_out may say that the 274 bytes behind the text are text too.
    const auto done = static_cast<std::size_t>(inflate_->next_out - reinterpret_cast<std::uint8_t*>(to));
    // ISA-L may hold back inflated bytes, so the data have ended only when a call yields nothing.
    if (input_ended && done == 0 && fault_ == 0 && inflate_->block_state != ISAL_BLOCK_FINISH)
      throw DataError(
          fmt::format("{}: truncated gzip data: it ends at compressed byte {}", path(), compressed_offset()));
    return done;
  }

  // After a fault ISA-L must not be called again, but it may still hold text before the fault that did not fit into
  // `to`. Returns that first, then throws.
  std::size_t take_held_back(char* to, std::size_t size) {
    const auto left = static_cast<std::size_t>(inflate_->tmp_out_valid - inflate_->tmp_out_processed);
    if (left == 0)
      throw DataError(fmt::format("{}: damaged gzip data near compressed byte {}: {}", path(), compressed_offset(),
                                  inflate_fault(fault_)));
    const std::size_t got = std::min(size, left);
    std::copy_n(inflate_->tmp_out_buffer + inflate_->tmp_out_processed, got, to);
    inflate_->tmp_out_processed += static_cast<std::int32_t>(got);
    return got;
  }

  // Zeros may follow a member, since gzip(1) pads files on tapes. Anything else that is not a member is refused.
  void start_next_member() {
    while (true) {
      if (inflate_->avail_in == 0 && !refill()) {
        if (compressed_bytes_ < bytes_) throw became_shorter(path());
        at_end_ = true;
        return;
      }
      if (*inflate_->next_in != 0) break;
      padded_ = true;
      ++inflate_->next_in;
      --inflate_->avail_in;
    }
    if (padded_ || *inflate_->next_in != 0x1f)
      throw DataError(fmt::format("{}: damaged gzip data: something that is not gzip follows at compressed byte {}",
                                  path(), compressed_offset()));
    isal_inflate_reset(inflate_.get());
    inflate_->crc_flag = ISAL_GZIP;
  }

  Stream stream_;
  std::int64_t bytes_;  // that the stream has; -1: unknown
  std::vector<std::uint8_t> ahead_;
  std::size_t ahead_used_ = 0;
  std::exception_ptr stream_fault_;
  std::vector<std::uint8_t> input_;
  std::unique_ptr<inflate_state> inflate_;  // of zeros at first: damaged data can make ISA-L copy what was there
  std::int64_t compressed_bytes_;           // read so far
  int fault_ = 0;                           // ISA-L's code
  bool padded_ = false;
  bool at_end_ = false;
};

}  // namespace

const char* inflate_fault(int code) {
  switch (code) {
    case ISAL_INVALID_BLOCK: return "invalid block";
    case ISAL_INVALID_SYMBOL: return "invalid symbol";
    case ISAL_INVALID_LOOKBACK: return "invalid distance";
    case ISAL_INVALID_WRAPPER: return "invalid header";
    case ISAL_UNSUPPORTED_METHOD: return "unknown compression method";
    case ISAL_INCORRECT_CHECKSUM: return "wrong checksum";
    default: return "cannot be inflated";
  }
}

std::shared_ptr<InputFile> make_gzip_file(const std::string& path, Stream stream, std::int64_t bytes) {
  return std::make_shared<GzipFile>(path, std::move(stream), bytes, GzipResume{});
}

std::shared_ptr<InputFile> resume_gzip_file(const std::string& path, Stream stream, std::int64_t bytes,
                                            GzipResume resume) {
  return std::make_shared<GzipFile>(path, std::move(stream), bytes, std::move(resume));
}

std::optional<std::size_t> gzip_header_bytes(std::span<const std::uint8_t> data) {
  constexpr std::size_t kFixed = 10;
  enum Flags : unsigned { text = 1, checksum = 2, extra = 4, name = 8, comment = 16 };
  if (data.size() < kFixed || data[0] != 0x1f || data[1] != 0x8b || data[2] != 8) return std::nullopt;
  const unsigned flags = data[3];
  if ((flags & ~unsigned{text | extra | name | comment}) != 0) return std::nullopt;
  std::size_t at = kFixed;
  if ((flags & extra) != 0) {
    if (data.size() < at + 2) return std::nullopt;
    at += 2 + (data[at] | std::size_t{data[at + 1]} << 8);
  }
  for (const unsigned field : {unsigned{name}, unsigned{comment}}) {
    if ((flags & field) == 0) continue;
    while (at < data.size() && data[at] != 0) ++at;
    ++at;
  }
  if (at > data.size()) return std::nullopt;
  return at;
}

}  // namespace basesweep
