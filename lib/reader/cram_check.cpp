#include "lib/reader/cram_check.hpp"

#include <fmt/format.h>
#include <htslib/hfile.h>
#include <isa-l/crc.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <vector>

#include "lib/base/error.hpp"

namespace basesweep {
namespace {

constexpr std::size_t kDefinitionBytes = 26;  // magic, version, name of the file
constexpr unsigned char kMajorVersion = 3;
constexpr std::int32_t kEndStart = 0x454f46;  // the start that the container at the end of a file has: "EOF"

// A container is a header and blocks, a block is a header and data. Both end with the checksum of what stands before
// it. Numbers have variable lengths: the high bits of the first byte say how many bytes follow (ITF8, LTF8).
class CramChecker {
 public:
  CramChecker(hFILE* stream, const std::string& path) : stream_(stream), path_(path), buffer_(std::size_t{1} << 18) {}

  void check() {
    std::array<char, kDefinitionBytes> definition{};
    take(definition.data(), definition.size());
    if (definition[4] != kMajorVersion) {
      throw DataError(
          fmt::format("{}: CRAM {}.{} has no checksums that are read here; try 'samtools view -u {} | basesweep ...'",
                      path_, int{definition[4]}, int{definition[5]}, path_));
    }
    bool ended = false;
    while (!at_end()) {
      if (ended) fail("something follows the end-of-file container");
      ended = check_container();
    }
    if (!ended) throw DataError(fmt::format("{}: truncated CRAM: no end-of-file container", path_));
  }

 private:
  // Whether the container is the one at the end of a file.
  bool check_container() {
    crc_ = 0;
    const std::int32_t size = take_int32();
    if (size < 0) fail("a container has an invalid size");
    take_number(kInt);  // reference
    const std::int64_t start = take_number(kInt);
    take_number(kInt);  // span
    const std::int64_t records = take_number(kInt);
    take_number(kLong);  // records before
    take_number(kLong);  // bases
    take_number(kInt);   // blocks
    const std::int64_t landmarks = take_number(kInt);
    if (landmarks < 0 || landmarks > size) fail("a container has an invalid number of slices");
    for (std::int64_t i = 0; i < landmarks; ++i) take_number(kInt);
    check_crc();
    const std::int64_t end = at_ + size;
    while (at_ < end) check_block(end);
    if (at_ != end) fail("a container has another size than its header says");
    return start == kEndStart && records == 0;
  }

  void check_block(std::int64_t end) {
    crc_ = 0;
    take_byte();  // compression
    take_byte();  // content
    take_number(kInt);
    const std::int64_t size = take_number(kInt);
    take_number(kInt);  // size without compression
    if (size < 0 || size > end - at_) fail("a block has an invalid size");
    for (std::int64_t left = size; left > 0;) {
      const auto step = std::min(left, static_cast<std::int64_t>(buffer_.size()));
      take(buffer_.data(), static_cast<std::size_t>(step));
      left -= step;
    }
    check_crc();
  }

  void check_crc() {
    const std::uint32_t computed = crc_;
    if (static_cast<std::uint32_t>(take_int32()) != computed) fail("a checksum is wrong");
  }

  bool at_end() {
    char byte = 0;
    const ssize_t got = hpeek(stream_, &byte, 1);
    if (got < 0) throw IoError(path_, "cannot read", errno);
    return got == 0;
  }

  void take(char* to, std::size_t size) {
    const ssize_t got = hread(stream_, to, size);
    if (got < 0) throw IoError(path_, "cannot read", errno);
    at_ += got;
    if (static_cast<std::size_t>(got) < size) {
      throw DataError(fmt::format("{}: truncated CRAM: it ends at byte {}", path_, at_));
    }
    crc_ = crc32_gzip_refl(crc_, reinterpret_cast<unsigned char*>(to), size);
  }
  unsigned char take_byte() {
    char byte = 0;
    take(&byte, 1);
    return static_cast<unsigned char>(byte);
  }
  std::int32_t take_int32() {
    std::int32_t number = 0;
    take(reinterpret_cast<char*>(&number), sizeof number);
    return number;
  }

  static constexpr int kInt = 4;   // bytes that may follow the first one of an ITF8 number
  static constexpr int kLong = 8;  // of an LTF8 number
  std::int64_t take_number(int max_following) {
    const unsigned char first = take_byte();
    const int following = std::min(std::countl_one(first), max_following);
    if (following == kInt && max_following == kInt) {  // the fifth byte has 4 bits
      std::uint32_t number = first & 0xfU;
      for (int i = 0; i < 3; ++i) number = number << 8 | take_byte();
      return static_cast<std::int32_t>(number << 4 | (take_byte() & 0xfU));
    }
    std::uint64_t number = following >= 7 ? 0 : first & (0x7fU >> following);
    for (int i = 0; i < following; ++i) number = number << 8 | take_byte();
    return static_cast<std::int64_t>(number);
  }

  [[noreturn]] void fail(std::string_view what) const {
    throw DataError(fmt::format("{}: damaged CRAM data before byte {}: {}", path_, at_, what));
  }

  hFILE* stream_;
  const std::string& path_;
  std::vector<char> buffer_;
  std::int64_t at_ = 0;
  std::uint32_t crc_ = 0;
};

}  // namespace

void check_cram(hFILE* stream, const std::string& path) {
  CramChecker(stream, path).check();
  if (hseek(stream, 0, SEEK_SET) != 0) throw IoError(path, "cannot read", errno);
}

}  // namespace basesweep
