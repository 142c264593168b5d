#include <fmt/format.h>
#include <htslib/bgzf.h>
#include <htslib/hfile.h>

#include <cerrno>

#include "lib/error.hpp"
#include "lib/reader/compressed_file.hpp"

namespace basesweep {
namespace {

struct CloseBgzf {
  void operator()(BGZF* bgzf) const noexcept { bgzf_close(bgzf); }
};

class BgzfFile final : public InputFile {
 public:
  BgzfFile(const std::string& path, Stream stream, int threads)
      : InputFile(path), bgzf_(bgzf_hopen(stream.get(), "r")) {
    if (bgzf_ == nullptr) throw IoError(path, "cannot read", errno);
    static_cast<void>(stream.release());   // now the BGZF's
    constexpr int kBlocksPerThread = 256;  // HTSlib looks at it for writing only
    if (threads > 1 && bgzf_mt(bgzf_.get(), threads, kBlocksPerThread) != 0)
      throw IoError(path, "cannot start threads to inflate it");
  }

  std::size_t read(char* to, std::size_t size) override {
    const ssize_t got = bgzf_read(bgzf_.get(), to, size);
    if (got < 0) fail();
    // HTSlib looks at the last block as it passes by, so this works on pipes too.
    if (static_cast<std::size_t>(got) < size && bgzf_->no_eof_block)
      throw DataError(fmt::format("{}: truncated BGZF: no end-of-file block", path()));
    return static_cast<std::size_t>(got);
  }
  Compression compression() const override { return Compression::bgzf; }

 private:
  [[noreturn]] void fail() const {
    if (const int code = herrno(bgzf_->fp); code != 0) throw IoError(path(), "cannot read", code);
    // HTSlib calls a block that ends early an I/O error, and with threads a bad block header too; the stream has no
    // error, so it is the data.
    const char* what = "damaged";
    if ((bgzf_->errcode & BGZF_ERR_IO) != 0) what = "truncated or damaged";
    if ((bgzf_->errcode & BGZF_ERR_CRC) != 0) what = "wrong checksum in";
    throw DataError(fmt::format("{}: {} BGZF data after compressed byte {}", path(), what, bgzf_->block_address));
  }

  std::unique_ptr<BGZF, CloseBgzf> bgzf_;
};

}  // namespace

std::shared_ptr<InputFile> make_bgzf_file(const std::string& path, Stream stream, int threads) {
  return std::make_shared<BgzfFile>(path, std::move(stream), threads);
}

}  // namespace basesweep
