#include <fcntl.h>
#include <fmt/format.h>
#include <htslib/hfile.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "lib/base/error.hpp"
#include "lib/reader/bgzf_handle.hpp"
#include "lib/reader/compressed_file.hpp"

namespace basesweep {
namespace {

class BgzfFile final : public InputFile {
 public:
  BgzfFile(const std::string& path, Stream stream, int descriptor, int threads)
      : InputFile(path), descriptor_(descriptor), helpers_(threads > 1) {
    open(std::move(stream));
    if (!bgzf_.add_helpers(threads)) throw IoError(path, "cannot start threads to decompress it", errno);
  }

  std::size_t read(char* to, std::size_t size) override {
    const std::int64_t place = bgzf_tell(bgzf_.get());
    ssize_t got = read_block(to, size);
    if (helpers_ && (got < 0 || bgzf_->mt == nullptr)) {
      helpers_ = false;
      if (descriptor_ >= 0) {
        reopen(place);
        got = read_block(to, size);
      } else if (!bgzf_->is_gzip && got >= 0) {
        throw DataError(fmt::format("{}: truncated or damaged BGZF data", path()));
      }
    }
    if (got < 0) fail();
    // HTSlib notes the end-of-file block as it reads past it, so this works on pipes too.
    if (got == 0 && bgzf_->no_eof_block)
      throw DataError(fmt::format("{}: truncated BGZF: no end-of-file block", path()));
    return static_cast<std::size_t>(got);
  }
  Compression compression() const override { return Compression::bgzf; }

  // HTSlib's own bgzf_index_load() and bgzf_useek() do not check the numbers and abort the program when they are wrong.
  void load_index(const std::string& index) override {
    std::ifstream in(index, std::ios::binary);
    if (!in) throw IoError(index, "cannot open", errno);
    const std::string bytes{std::istreambuf_iterator<char>(in), {}};
    const auto number_at = [&bytes](std::size_t at) {
      std::int64_t number = 0;
      if (at + sizeof number <= bytes.size()) std::memcpy(&number, bytes.data() + at, sizeof number);
      return number;
    };
    constexpr std::size_t kNumber = sizeof(std::int64_t);
    const auto count = static_cast<std::size_t>(number_at(0));
    bool right = bytes.size() >= kNumber && (bytes.size() - kNumber) % (2 * kNumber) == 0 &&
                 count == (bytes.size() - kNumber) / (2 * kNumber);
    blocks_ = {{0, 0}};
    for (std::size_t at = kNumber; right && at < bytes.size(); at += 2 * kNumber) {
      const BlockPlace block{number_at(at), number_at(at + kNumber)};
      right = block.file > blocks_.back().file && block.text >= blocks_.back().text && block.file <= kMaxFile;
      blocks_.push_back(block);
    }
    if (!right)
      throw DataError(fmt::format("{}: not a BGZF index (.gzi): expected a file that 'bgzip -r' wrote", index));
  }
  void seek(std::int64_t offset) override {
    const auto behind =
        std::upper_bound(blocks_.begin(), blocks_.end(), offset,
                         [](std::int64_t place, const BlockPlace& block) { return place < block.text; });
    const BlockPlace& block = *std::prev(behind);
    if (bgzf_seek(bgzf_.get(), block.file << 16, SEEK_SET) != 0) fail();
    std::array<char, 1 << 12> passed;
    for (std::int64_t left = offset - block.text; left > 0;) {
      const std::size_t got = read(passed.data(), std::min(static_cast<std::size_t>(left), passed.size()));
      if (got == 0)
        throw DataError(
            fmt::format("{}: the file is shorter than its index (.gzi) says: index it again with 'bgzip -r'", path()));
      left -= static_cast<std::int64_t>(got);
    }
  }

 private:
  // Where a block begins: offsets in the compressed file and in the text.
  struct BlockPlace {
    std::int64_t file;
    std::int64_t text;
  };
  static constexpr std::int64_t kMaxFile = (std::int64_t{1} << 47) - 1;  // a virtual offset has 16 bits more

  void open(Stream stream) {
    bgzf_ = BgzfHandle(bgzf_hopen(stream.get(), "r"));
    if (!bgzf_) throw IoError(path(), "cannot read", errno);
    static_cast<void>(stream.release());  // the BGZF owns it now
  }

  // Reads what is already inflated, or one byte of the next block. A longer read could run into a bad block, and then
  // HTSlib does not say how many bytes it had read before.
  ssize_t read_block(char* to, std::size_t size) {
    const auto inflated = static_cast<std::size_t>(std::max(bgzf_->block_length - bgzf_->block_offset, 1));
    return bgzf_read(bgzf_.get(), to, std::min(size, inflated));
  }

  // HTSlib's helpers stop at a block that is cut short or has a bad header, and drop the blocks before it that were not
  // read yet (bgzf_mt_reader destroys its queue). So the file is opened again, without helpers, to read these blocks.
  void reopen(std::int64_t place) {
    const int copy = ::fcntl(descriptor_, F_DUPFD_CLOEXEC, 0);
    if (copy < 0) throw IoError(path(), "cannot read", errno);
    bgzf_ = {};
    Stream stream(::lseek(copy, 0, SEEK_SET) == 0 ? hdopen(copy, "r") : nullptr);
    if (stream == nullptr) {
      const int code = errno;
      ::close(copy);
      throw IoError(path(), "cannot read", code);
    }
    open(std::move(stream));
    if (bgzf_seek(bgzf_.get(), place, SEEK_SET) != 0) throw IoError(path(), "cannot read", errno);
  }

  [[noreturn]] void fail() const {
    if (const int code = herrno(bgzf_->fp); code != 0) throw IoError(path(), "cannot read", code);
    // HTSlib calls a block that ends early an I/O error, and with threads a bad block header too. The stream itself has
    // no error, so the data are at fault.
    const char* what = "damaged";
    if ((bgzf_->errcode & BGZF_ERR_IO) != 0) what = "truncated or damaged";
    if ((bgzf_->errcode & BGZF_ERR_CRC) != 0) what = "wrong checksum in";
    throw DataError(fmt::format("{}: {} BGZF data after compressed byte {}", path(), what, bgzf_->block_address));
  }

  BgzfHandle bgzf_;
  std::vector<BlockPlace> blocks_{{0, 0}};
  int descriptor_;
  bool helpers_;  // false once they have met a bad block
};

}  // namespace

std::shared_ptr<InputFile> make_bgzf_file(const std::string& path, Stream stream, int descriptor, int threads) {
  return std::make_shared<BgzfFile>(path, std::move(stream), descriptor, threads);
}

}  // namespace basesweep
