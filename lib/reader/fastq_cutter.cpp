#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <exception>
#include <limits>
#include <string>
#include <string_view>
#include <utility>

#include "lib/error.hpp"
#include "lib/reader/cutter.hpp"

namespace basesweep {
namespace {

// Finds the borders of FASTQ records. Sequence and quality may span lines: the quality ends with the line that makes it
// as long as the sequence, which is why records have to be found from the first on, serially.
class FastqScanner {
 public:
  FastqScanner(std::string path, std::size_t max_title_bytes, std::int64_t line)
      : path_(std::move(path)), max_title_bytes_(max_title_bytes), line_(line) {}

  // Appends the whole records of `text` and sets `whole` to where the first that is not whole begins. At the end of
  // the input (`last`) all must be whole. Throws DataError, with the records before the fault appended.
  void scan(std::string_view text, bool last, std::vector<FastqRecord>& records, std::size_t& whole) {
    text_ = text;
    last_ = last;
    whole = 0;
    while (true) {
      at_ = whole;
      while (at_ < text_.size() && (text_[at_] == '\n' || text_[at_] == '\r')) line_ += text_[at_++] == '\n';
      whole = at_;
      lines_ = 0;
      FastqRecord record{};
      if (at_ == text_.size() || !scan_record(record)) return;
      // Positions in a block have 32 bits.
      if (at_ > std::numeric_limits<std::uint32_t>::max()) {
        if (records.empty()) fail("longer than 4 GiB");
        return;
      }
      records.push_back(record);
      line_ += lines_;
      whole = at_;
    }
  }

 private:
  struct Line {
    std::size_t begin, end;  // without line break
  };

  // Nothing when the text ends before the line does, and more is to come.
  std::optional<Line> take_line() {
    const std::size_t begin = at_;
    const auto* found = static_cast<const char*>(std::memchr(text_.data() + begin, '\n', text_.size() - begin));
    if (found == nullptr && !last_) return std::nullopt;
    std::size_t end = found == nullptr ? text_.size() : static_cast<std::size_t>(found - text_.data());
    at_ = found == nullptr ? end : end + 1;
    ++lines_;
    while (end > begin && text_[end - 1] == '\r') --end;
    return Line{begin, end};
  }

  // False: the record is not whole, and more is to come.
  bool scan_record(FastqRecord& record) {
    if (text_[at_] != '@')
      throw DataError(fmt::format("{}: line {}: expected '@' at the begin of a record, found {}", path_, line_,
                                  printable(text_[at_])));
    const std::size_t begin = at_;
    const auto title = take_line();
    if ((title ? title->end : text_.size()) - begin > max_title_bytes_)
      throw DataError(fmt::format("{}: line {}: header line longer than {} bytes", path_, line_, max_title_bytes_));
    if (!title) return false;
    std::size_t name_end = begin + 1;
    while (name_end < title->end && text_[name_end] != ' ' && text_[name_end] != '\t') ++name_end;
    name_ = text_.substr(begin + 1, name_end - begin - 1);

    Line sequence{at_, at_};
    std::size_t letters = 0;
    for (bool first = true;; first = false) {
      if (at_ == text_.size()) {
        if (!last_) return false;
        fail(first ? "truncated: the text ends before the sequence" : "truncated: the text ends before the '+' line");
      }
      if (text_[at_] == '+') break;
      if (text_[at_] == '@') fail("no '+' line before the next '@'");
      const auto line = take_line();
      if (!line) return false;
      letters += line->end - line->begin;
      sequence.end = line->end;
    }
    if (!take_line() || !skip_quality(letters)) return false;

    record = {static_cast<std::uint32_t>(begin + 1), static_cast<std::uint32_t>(name_end),
              static_cast<std::uint32_t>(sequence.begin), static_cast<std::uint32_t>(sequence.end)};
    return true;
  }

  bool skip_quality(std::size_t letters) {
    std::size_t characters = 0;
    std::optional<std::size_t> before_at;  // characters before a line that may be the next title, if any
    for (bool first = true; first || characters < letters; first = false) {
      if (at_ == text_.size()) {
        if (!last_) return false;
        if (characters == letters) return true;  // both 0, and no final line break
        fail(fmt::format("quality has {} characters, sequence has {}, and the text ends there", characters, letters));
      }
      const auto line = take_line();
      if (!line) return false;
      if (!first && !before_at && line->begin < line->end && text_[line->begin] == '@') before_at = characters;
      characters += line->end - line->begin;
      if (characters > letters)
        fail(fmt::format("quality has {} characters, sequence has {}", before_at.value_or(characters), letters));
    }
    return true;
  }

  [[noreturn]] void fail(std::string_view what) const {
    throw DataError(fmt::format("{}: record '{}' (line {}): {}", path_, name_, line_, what));
  }

  std::string path_;
  std::size_t max_title_bytes_;
  std::int64_t line_;       // of the record being scanned
  std::int64_t lines_ = 0;  // it has so far
  std::string_view text_;
  std::string_view name_;
  std::size_t at_ = 0;
  bool last_ = false;
};

class FastqCutter final : public Cutter {
 public:
  FastqCutter(PendingText text, std::int64_t line, CutterOptions options)
      : text_(std::move(text)),
        block_bytes_(options.block_bytes),
        scanner_(text_.file()->path(), options.max_title_bytes, line) {}

  std::optional<RawBlock> next() override {
    if (fault_) std::rethrow_exception(fault_);
    RawBlock block;
    block.format = Format::fastq;
    block.records.reserve(records_expected_);
    for (std::size_t wanted = block_bytes_;; wanted = 2 * std::max(text_.size(), block_bytes_)) {
      text_.read_to(wanted);
      std::size_t size = 0;
      try {
        scanner_.scan(text_.view(), text_.all_read() && !text_.fault(), block.records, size);
      } catch (const DataError&) {
        // Damaged compression behind it is the likelier cause.
        fault_ = text_.fault() ? text_.fault() : std::current_exception();
      }
      if (!block.records.empty()) {
        text_.give(block, size, block_bytes_);
        break;
      }
      if (fault_) std::rethrow_exception(fault_);
      // Only blank lines so far, or a record larger than the block.
      text_.drop(size);
      if (text_.all_read()) {
        text_.throw_fault();
        return std::nullopt;
      }
    }
    records_expected_ = block.records.size() + block.records.size() / 8;
    return block;
  }

 private:
  PendingText text_;
  std::size_t block_bytes_;
  FastqScanner scanner_;
  std::size_t records_expected_ = 0;
  std::exception_ptr fault_;  // of the record behind the last block
};

}  // namespace

std::unique_ptr<Cutter> make_fastq_cutter(PendingText text, std::int64_t line, CutterOptions options) {
  return std::make_unique<FastqCutter>(std::move(text), line, options);
}

}  // namespace basesweep
