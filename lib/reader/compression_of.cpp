#include <fmt/format.h>

#include <string>
#include <string_view>

#include "lib/reader/compressed_file.hpp"
#include "lib/reader/open_input.hpp"

namespace basesweep {
namespace {

// A stream of bzip2 begins with its level and then a block, or the end where it is empty. Names of patterns may begin
// like the first bytes, so all are looked at, as far as the file has them.
bool is_bzip2(std::string_view head) {
  constexpr std::size_t kFirst = 4;
  if (head.size() < kFirst || !head.starts_with("BZh") || head[3] < '1' || head[3] > '9') return false;
  const std::string_view next = head.substr(kFirst, 6);
  return std::string_view("\x31\x41\x59\x26\x53\x59").starts_with(next) ||
         std::string_view("\x17\x72\x45\x38\x50\x90").starts_with(next);
}

// A zstd file begins with a frame, or with one that holds no text (pzstd writes sizes there).
bool is_zstd(std::string_view head) {
  return head.starts_with("\x28\xb5\x2f\xfd") ||
         (head.size() >= 4 && (head[0] & 0xf0) == 0x50 && head.substr(1).starts_with("\x2a\x4d\x18"));
}

}  // namespace

Compression compression_of(std::span<const char> head) {
  constexpr char kXz[] = {'\xfd', '7', 'z', 'X', 'Z', '\0'};
  const std::string_view text(head.data(), head.size());
  if (is_bzip2(text)) return Compression::bzip2;
  if (is_zstd(text)) return Compression::zstd;
  if (text.starts_with(std::string_view(kXz, sizeof kXz))) return Compression::xz;
  const auto at = [&](std::size_t i) { return static_cast<unsigned char>(head[i]); };
  if (head.size() < 2 || at(0) != 0x1f || at(1) != 0x8b) return Compression::none;
  const bool bgzf = head.size() >= kMagicBytes && at(2) == 8 && (at(3) & 4) != 0 && at(10) == 6 && at(11) == 0 &&
                    at(12) == 'B' && at(13) == 'C' && at(14) == 2 && at(15) == 0;
  return bgzf ? Compression::bgzf : Compression::gzip;
}

std::string how_decompressed(Compression compression, int threads, std::int64_t bytes) {
  switch (compression) {
    case Compression::none: return "plain";
    case Compression::gzip:
      if (gzip_threads(threads, bytes) == 1) return "gzip, decompressed by ISA-L in one thread";
      return fmt::format("gzip, decompressed in {} threads", gzip_threads(threads, bytes));
    case Compression::bgzf:
      return fmt::format("BGZF, decompressed by ISA-L in {}",
                         threads > 1 ? fmt::format("{} threads", bgzf_threads(threads)) : "one thread");
    case Compression::zstd: return "zstd, decompressed by libzstd in one thread";
    case Compression::bzip2: return "bzip2, decompressed by libbz2 in one thread";
    case Compression::xz: return "xz, decompressed by liblzma in one thread";
  }
  return "";
}

}  // namespace basesweep
