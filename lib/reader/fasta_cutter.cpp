#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <span>
#include <string_view>
#include <utility>

#include "lib/base/error.hpp"
#include "lib/base/sequence_text.hpp"
#include "lib/reader/cutter.hpp"

namespace basesweep {
namespace {

class FileCutter final : public Cutter {
 public:
  FileCutter(std::shared_ptr<InputFile> file, const TextRange& range, CutterOptions options)
      : file_(std::move(file)),
        options_(options),
        begin_(range.begin),
        end_(range.end),
        inside_line_(range.inside_line) {}

  std::optional<RawBlock> next() override {
    if (begin_ >= end_) return std::nullopt;
    RawBlock block;
    block.file_offset = begin_;
    block.inside_line = inside_line_;
    block.file = file_;
    const std::int64_t end = next_cut();
    block.size = static_cast<std::size_t>(end - begin_);
    begin_ = end;
    return block;
  }

 private:
  static constexpr std::size_t kLineBytes = 256;
  static constexpr std::size_t kPageBytes = 4096;

  // Where the next block ends. Also sets inside_line_ for the block after it.
  std::int64_t next_cut() {
    const std::int64_t left = end_ - begin_;
    if (std::cmp_greater_equal(options_.block_bytes, left)) return end_;
    const std::int64_t wanted = begin_ + static_cast<std::int64_t>(options_.block_bytes);

    // A cut must not lie inside a title. An allowed title has at most max_title_bytes, so if the wanted cut is inside
    // one, either the line break before the title is among the max_title_bytes + 1 bytes before the cut, or the title
    // begins the block. A longer title may be cut, but then this block or an earlier one holds more than
    // max_title_bytes of it, and the packer of that block refuses it.
    for (const std::size_t bytes : {kLineBytes, kPageBytes, std::max(kPageBytes, options_.max_title_bytes + 1)}) {
      const std::int64_t from = std::max(begin_, wanted - static_cast<std::int64_t>(bytes));
      const std::size_t lines = whole_lines(read(from, static_cast<std::size_t>(wanted - from)));
      if (lines != 0) {
        inside_line_ = false;
        return from + static_cast<std::int64_t>(lines);
      }
      if (from == begin_) {
        if (!inside_line_ && read(begin_, 1)[0] == '>') return title_end(wanted);
        break;
      }
    }
    inside_line_ = true;
    return wanted;
  }

  // The end of the title line that begins the block. It does not end before `at`.
  std::int64_t title_end(std::int64_t at) {
    while (true) {
      const std::int64_t left = end_ - at;
      const std::string_view part = read(at, std::min(kPageBytes, static_cast<std::size_t>(left)));
      const std::size_t line_break = line_size(part);
      at += static_cast<std::int64_t>(line_break);
      if (std::cmp_greater(at - begin_, options_.max_title_bytes))
        throw title_too_long(*file_, begin_, options_.max_title_bytes);
      if (line_break != part.size()) return at + 1;
      if (at == end_) return at;
    }
  }

  std::string_view read(std::int64_t offset, std::size_t size) {
    RawBlock part;
    part.file = file_;
    part.file_offset = offset;
    part.size = size;
    const std::span<const char> text = part.text(scratch_);
    return {text.data(), text.size()};
  }

  std::shared_ptr<InputFile> file_;
  CutterOptions options_;
  std::int64_t begin_;
  std::int64_t end_;
  bool inside_line_;
  std::vector<char> scratch_;
};

class StreamCutter final : public Cutter {
 public:
  StreamCutter(PendingText text, bool inside_line, CutterOptions options)
      : text_(std::move(text)), options_(options), inside_line_(inside_line) {}

  std::optional<RawBlock> next() override {
    text_.read_block(options_.block_bytes);
    keep_sound();
    if (text_.size() == 0) {
      text_.throw_fault();
      return std::nullopt;
    }
    RawBlock block;
    block.inside_line = inside_line_;
    text_.give(block, next_cut());
    return block;
  }

 private:
  // How many bytes the next block gets. Also sets inside_line_ for the block after it.
  std::size_t next_cut() {
    const std::size_t most = text_.block_size(options_.block_bytes);
    if (text_.all_read() && text_.size() <= most) return text_.size();
    // Looking farther back than a title may reach is of no use, as in a file.
    const std::size_t from = most - std::min(most, options_.max_title_bytes + 1);
    const std::size_t lines = whole_lines(text_.view().substr(from, most - from));
    if (lines != 0) {
      inside_line_ = false;
      return from + lines;
    }
    if (from == 0 && !inside_line_ && text_.view().front() == '>') return title_end();
    inside_line_ = true;
    return most;
  }

  void keep_sound() {
    if (!text_.fault() || sound_) return;
    text_.keep(sound_bytes());
    sound_ = true;
  }

  // How many bytes of the text before a fault are sound. After a fault, text that the packer refuses is most likely
  // damage too, and the fault is the error to report; so the text ends before such bytes. It also ends before a title
  // that the fault cuts short, since its name may be incomplete.
  std::size_t sound_bytes() const {
    const std::string_view text = text_.view();
    bool title_may_begin = !inside_line_;
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t end = at + line_size(text.substr(at));
      if (title_may_begin && text[at] == '>') {
        if (end == text.size()) return at;
      } else {
        const auto is_sound = [](char c) { return is_sequence_byte(c) || is_line_end(c); };
        at += static_cast<std::size_t>(std::find_if_not(text.begin() + at, text.begin() + end, is_sound) -
                                       (text.begin() + at));
        if (at < end) return at;
      }
      title_may_begin = true;
      at = end + 1;
    }
    return text.size();
  }

  // The end of the title line that begins the block and is longer than the block. The packer refuses a title that is
  // too long but ends in its block, as with files.
  std::size_t title_end() {
    std::size_t searched = 0;
    while (true) {
      searched += line_size(text_.view().substr(searched));
      if (searched > options_.max_title_bytes)
        throw title_too_long(*text_.file(), text_.offset(), options_.max_title_bytes);
      if (searched != text_.size()) return searched + 1;
      if (text_.all_read()) {
        text_.throw_fault();
        return searched;
      }
      text_.read_to(searched + std::max<std::size_t>(options_.block_bytes, 256));
      keep_sound();
    }
  }

  PendingText text_;
  CutterOptions options_;
  bool inside_line_;
  bool sound_ = false;  // sound_bytes() was applied to the text before a fault
};

}  // namespace

DataError title_too_long(const InputFile& file, std::int64_t offset, std::size_t max_title_bytes) {
  return DataError(fmt::format("{}: byte {}: header line longer than {} bytes", file.path(), offset, max_title_bytes));
}

std::unique_ptr<Cutter> make_fasta_file_cutter(std::shared_ptr<InputFile> file, const TextRange& range,
                                               CutterOptions options) {
  return std::make_unique<FileCutter>(std::move(file), range, options);
}

std::unique_ptr<Cutter> make_fasta_stream_cutter(PendingText text, bool inside_line, CutterOptions options) {
  return std::make_unique<StreamCutter>(std::move(text), inside_line, options);
}

}  // namespace basesweep
