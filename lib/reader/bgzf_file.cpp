#include <fmt/format.h>
#include <htslib/hfile.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <exception>
#include <fstream>
#include <iterator>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lib/base/error.hpp"
#include "lib/base/stream_names.hpp"
#include "lib/reader/bgzf_run.hpp"
#include "lib/reader/compressed_file.hpp"
#include "lib/reader/run_queue.hpp"
#include "lib/reader/url_file.hpp"
#include "lib/reader/url_wait.hpp"

namespace basesweep {
namespace {

constexpr char kGzipMagic = 0x1f;  // the first byte

class BgzfFile final : public InputFile {
 public:
  BgzfFile(const std::string& path, Stream stream, std::int64_t bytes, int threads,
           std::shared_ptr<const InputFile> stored)
      : InputFile(path),
        stream_(std::move(stream)),
        bytes_(bytes),
        stored_(std::move(stored)),
        queue_(threads, {kBlocksPerThread * static_cast<std::size_t>(threads), kBlocksAtOnce,
                         BgzfRun::memory_bytes(run_bytes_)}),
        threads_(threads) {}

  std::size_t read(char* to, std::size_t size) override {
    while (text_.empty() && next_run()) {
    }
    if (text_.empty()) return at_end(to, size);
    const std::size_t got = std::min(size, text_.size());
    std::copy_n(text_.data(), got, to);
    text_.remove_prefix(got);
    return got;
  }
  // From a stream, text is handed out as it comes.
  bool give_pieces(std::size_t bytes) override {
    if (bytes < kMinPiece || bytes_ < 0 || !queue_.empty() || in_pieces_) return false;
    run_bytes_ = std::min(bytes, kMaxPiece);
    queue_.reshape({kRunsPerThread * static_cast<std::size_t>(threads_) + 1, 1, BgzfRun::memory_bytes(run_bytes_)});
    next_offset_ = htell(stream_.get());
    return in_pieces_ = true;
  }
  TextPiece next_piece() override {
    while (text_.empty() && next_run()) {
    }
    if (!text_.empty()) {
      text_ = {};
      return queue_.front().take_piece();
    }
    TextPiece piece;
    piece.memory = TextMemory(TextPiece::kRoom + kMinPiece);
    piece.begin = TextPiece::kRoom;
    piece.end = piece.begin + at_end(piece.memory.data.get() + piece.begin, kMinPiece);
    return piece;
  }
  void find_records(RecordFinder finder) override { queue_.find_records(std::move(finder)); }
  Compression compression() const override { return Compression::bgzf; }
  std::int64_t stored_bytes_read() const override {
    return handed_out_ + (gzip_ != nullptr ? gzip_->stored_bytes_read() : 0);
  }

  void load_index(const std::string& index) override {
    const std::string bytes = index_bytes(index);
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
    if (gzip_ != nullptr) throw DataError(fmt::format("{}: gzip data that are not BGZF have no index", path()));
    const auto behind =
        std::upper_bound(blocks_.begin(), blocks_.end(), offset,
                         [](std::int64_t place, const BlockPlace& block) { return place < block.text; });
    const BlockPlace& block = *std::prev(behind);
    forget_runs();
    if (is_url(path())) {
      seek_url(path(), stream_.get(), block.file);
    } else if (hseek(stream_.get(), block.file, SEEK_SET) < 0) {
      throw IoError(path(), "cannot read", herrno(stream_.get()));
    }
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
  static constexpr std::size_t kBlocksPerThread = 16;
  static constexpr std::size_t kBlocksAtOnce = 4;  // since waking a helper costs as much as some 10 KiB of text
  static constexpr std::size_t kRunsPerThread = 2;
  static constexpr std::size_t kMinPiece = std::size_t{1} << 17;
  static constexpr std::size_t kMaxPiece = std::size_t{1} << 20;
  static constexpr std::size_t kMaxIndexBytes = std::size_t{1} << 30;
  static constexpr std::int64_t kMaxFile = (std::int64_t{1} << 47) - 1;  // a virtual offset has 16 bits more

  static std::string index_bytes(const std::string& index) {
    if (is_url(index)) {
      std::optional<std::string> bytes = fetch_url(index, kMaxIndexBytes);
      if (!bytes) throw IoError(index, "cannot open", ENOENT);
      return std::move(*bytes);
    }
    std::ifstream in(index, std::ios::binary);
    if (!in) throw IoError(index, "cannot open", errno);
    std::string bytes;
    for (char c; bytes.size() <= kMaxIndexBytes && in.get(c);) bytes += c;
    return bytes;
  }

  // Makes the next run, which may be empty, the one to hand out; false behind the last.
  bool next_run() {
    if (handing_out_) {
      throw_damage(queue_.front());
      queue_.pop();
    }
    handing_out_ = false;
    // Text that is ready must not wait for a stream, which may be slow.
    while (!ended_ && !queue_.full() && (bytes_ >= 0 || !queue_.ready())) read_run();
    if (queue_.empty()) return false;
    const BgzfRun& run = queue_.front();
    handing_out_ = true;
    text_ = run.piece().text();
    if (run.any_sound()) handed_out_ = run.end_offset();
    ends_empty_ = run.ends_empty();
    return true;
  }

  void throw_damage(const BgzfRun& run) const {
    if (!run.damaged()) return;
    if (run.read_fault()) std::rethrow_exception(run.read_fault());
    throw DataError(fmt::format("{}: damaged BGZF data in the block at compressed byte {}: {}", path(),
                                run.damaged_offset(), run.fault()));
  }

  // Goes on behind the last block: reads gzip data that follow, or checks that the file is complete.
  std::size_t at_end(char* to, std::size_t size) {
    if (fault_) std::rethrow_exception(fault_);
    if (gzip_follows_ && gzip_ == nullptr && reads_stored() && hseek(stream_.get(), next_offset_, SEEK_SET) < 0)
      throw IoError(path(), "cannot read", herrno(stream_.get()));
    if (gzip_follows_ && gzip_ == nullptr) gzip_ = make_gzip_file(path(), std::move(stream_), -1);
    if (gzip_ != nullptr) return gzip_->read(to, size);
    if (!ends_empty_) throw DataError(fmt::format("{}: truncated BGZF: no end-of-file block", path()));
    return 0;
  }

  void forget_runs() {
    queue_.clear();
    handing_out_ = false;
    text_ = {};
    ended_ = false;
    fault_ = nullptr;
    ends_empty_ = false;
  }

  // Puts the next packed run into the queue, unless there is none; sees why blocks end. An error counts only when all
  // blocks before it were handed out.
  void read_run() {
    BgzfRun& run = queue_.back();
    try {
      while (!ended_ && run.has_room(run_bytes_)) ended_ = reads_stored() ? !take_stored(run) : !take_block(run);
    } catch (const Error&) {
      fault_ = std::current_exception();
      ended_ = true;
    }
    if (!run.empty()) queue_.push();
  }

  // Adds the next block to a run; false at the end of the BGZF data.
  bool take_block(BgzfRun& run) {
    const std::int64_t offset = htell(stream_.get());
    std::array<char, kMagicBytes> head{};
    const UrlWait wait(path());
    const ssize_t peeked = hpeek(stream_.get(), head.data(), head.size());
    if (peeked < 0) throw IoError(path(), "cannot read", errno);
    if (!check_head({head.data(), static_cast<std::size_t>(peeked)}, offset)) return false;
    read_rest(run, offset);
    return true;
  }

  // Whether helpers read the blocks, and this thread only finds where each begins.
  bool reads_stored() const { return stored_ != nullptr && in_pieces_; }

  // The same as take_block(). Reads the end of the block, with the length of its text, and the head of the next one.
  bool take_stored(BgzfRun& run) {
    const std::int64_t offset = next_offset_;
    const std::int64_t left = bytes_ - offset;
    if (next_head_bytes_ == 0 && left > 0) {
      next_head_bytes_ = std::min<std::size_t>(next_head_.size(), static_cast<std::size_t>(left));
      stored_->read_at(next_head_.data(), next_head_bytes_, offset);
    }
    if (!check_head({next_head_.data(), std::min(next_head_bytes_, kMagicBytes)}, offset)) return false;
    if (next_head_bytes_ < next_head_.size()) truncated(bytes_);
    const auto size =
        static_cast<std::int64_t>(block_size(reinterpret_cast<const unsigned char*>(next_head_.data()), offset));
    if (size > left) truncated(bytes_);
    constexpr std::int64_t kTextBytes = sizeof(std::uint32_t);
    std::array<char, kTextBytes + BgzfRun::kHeaderBytes> bytes;
    const std::int64_t end = offset + size;
    auto wanted = static_cast<std::size_t>(std::min<std::int64_t>(bytes.size(), kTextBytes + bytes_ - end));
    try {
      stored_->read_at(bytes.data(), wanted, end - kTextBytes);
    } catch (const IoError&) {
      // This block counts if it is whole. The next one is looked for again, so that the error comes behind this one.
      wanted = kTextBytes;
      stored_->read_at(bytes.data(), wanted, end - kTextBytes);
    }
    std::uint32_t text_bytes = 0;
    std::memcpy(&text_bytes, bytes.data(), sizeof text_bytes);
    run.add_stored(stored_, static_cast<std::size_t>(size), offset, text_bytes);
    next_head_bytes_ = wanted - kTextBytes;
    std::copy_n(bytes.data() + kTextBytes, next_head_bytes_, next_head_.data());
    next_offset_ = end;
    return true;
  }

  // Looks at the first bytes of what may be a block; false where the BGZF data end.
  bool check_head(std::span<const char> head, std::int64_t offset) {
    if (head.empty() && offset >= bytes_) return false;
    const bool cut_short = head.size() < kMagicBytes;
    switch (compression_of(head)) {
      case Compression::bgzf: return true;
      case Compression::gzip:
        if (cut_short) break;
        // Only the length of its extra field is not BGZF's. It would pass over what the block holds if it were wrong.
        if ((head[3] & 4) != 0 && std::string_view(head.data() + 12, 4) == std::string_view("BC\2\0", 4))
          throw DataError(
              fmt::format("{}: damaged BGZF data in the block at compressed byte {}: its extra field must have 6 bytes",
                          path(), offset));
        gzip_follows_ = true;
        return false;
      case Compression::zstd:
      case Compression::bzip2:
      case Compression::xz:
      case Compression::none:
        if (head.empty() || (head.size() == 1 && head[0] == kGzipMagic)) break;
        throw DataError(fmt::format("{}: damaged BGZF data: something that is not BGZF follows at compressed byte {}",
                                    path(), offset));
    }
    truncated(offset + static_cast<std::int64_t>(head.size()));
  }

  // The size of a block, as its header states it.
  std::size_t block_size(const unsigned char* header, std::int64_t offset) const {
    constexpr std::size_t kSizeAt = 16;  // of the field with the size less 1
    const std::size_t size = (header[kSizeAt] | std::size_t{header[kSizeAt + 1]} << 8) + 1;
    if (size <= BgzfRun::kHeaderBytes + BgzfRun::kTrailerBytes)
      throw DataError(
          fmt::format("{}: damaged BGZF data in the block at compressed byte {}: invalid size", path(), offset));
    return size;
  }

  // Reads a whole block. take_block() has only peeked at its header, so the stream stands at its start.
  void read_rest(BgzfRun& run, std::int64_t offset) {
    unsigned char* const block = run.next(BgzfRun::kHeaderBytes);
    const std::size_t header = read_packed(block, BgzfRun::kHeaderBytes);
    if (header < BgzfRun::kHeaderBytes) truncated(offset + static_cast<std::int64_t>(header));
    const std::size_t size = block_size(block, offset);
    const std::size_t rest = read_packed(run.next(size) + header, size - header);
    if (rest < size - header) truncated(offset + static_cast<std::int64_t>(header + rest));
    run.add(size, offset);
  }

  // Reads `size` bytes; fewer at the end of the stream.
  std::size_t read_packed(unsigned char* to, std::size_t size) {
    const UrlWait wait(path());
    const ssize_t got = hread(stream_.get(), to, size);
    if (got < 0) throw IoError(path(), "cannot read", errno);
    return static_cast<std::size_t>(got);
  }

  [[noreturn]] void truncated(std::int64_t end) const {
    if (end < bytes_) throw became_shorter(path());
    throw DataError(fmt::format("{}: truncated BGZF data: it ends at compressed byte {}", path(), end));
  }

  Stream stream_;
  std::int64_t bytes_;                               // that the stream has; -1: unknown
  const std::shared_ptr<const InputFile> stored_;    // the file as it is stored; may be null
  std::size_t run_bytes_ = BgzfRun::kMaxBlockBytes;  // of text, at most
  RunQueue<BgzfRun> queue_;
  const int threads_;
  std::vector<BlockPlace> blocks_{{0, 0}};
  bool in_pieces_ = false;
  // Where helpers read the blocks: where the next one begins, and as much of its header as was read.
  std::int64_t next_offset_ = 0;
  std::array<char, BgzfRun::kHeaderBytes> next_head_{};
  std::size_t next_head_bytes_ = 0;
  std::string_view text_;        // of the first run in the queue, what was not handed out
  bool handing_out_ = false;     // that run was begun
  std::int64_t handed_out_ = 0;  // bytes of the file up to the end of that run
  bool ends_empty_ = false;      // the last block that was handed out has no text
  bool ended_ = false;           // no block is to come
  std::exception_ptr fault_;     // the reason, unless it is the end of the data
  bool gzip_follows_ = false;    // or gzip that is not BGZF
  std::shared_ptr<InputFile> gzip_;
};

}  // namespace

std::shared_ptr<InputFile> make_bgzf_file(const std::string& path, Stream stream, std::int64_t bytes, int threads,
                                          std::shared_ptr<const InputFile> stored) {
  return std::make_shared<BgzfFile>(path, std::move(stream), bytes, threads, std::move(stored));
}

}  // namespace basesweep
