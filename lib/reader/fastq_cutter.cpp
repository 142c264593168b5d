#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>

#include "lib/base/error.hpp"
#include "lib/base/sequence_text.hpp"
#include "lib/base/sixteen_bytes.hpp"
#include "lib/reader/record_cutter.hpp"

namespace basesweep {
namespace {

const char* find_lf(const char* text, const char* end) {
  const void* const found = std::memchr(text, '\n', static_cast<std::size_t>(end - text));
  return found == nullptr ? end : static_cast<const char*>(found);
}

// The first byte of the text for which `is`, which takes one byte or SixteenBytes, is true, or the end. For words of
// some letters, which end before a call of memchr() has begun.
template <class Is>
const char* find_first(const char* text, const char* end, Is is) {
  static_assert(std::endian::native == std::endian::little);
  for (; end - text >= static_cast<std::ptrdiff_t>(sizeof(SixteenBytes)); text += sizeof(SixteenBytes)) {
    const auto halves = halves_of(is(load_16(text)));
    if (halves[0] != 0) return text + std::countr_zero(halves[0]) / 8;
    if (halves[1] != 0) return text + 8 + std::countr_zero(halves[1]) / 8;
  }
  while (text != end && !is(static_cast<unsigned char>(*text))) ++text;
  return text;
}

const char* find_control_or_blank(const char* text, const char* end) {
  return find_first(text, end, [](auto c) { return c <= ' '; });
}
// The first control character other than a tab.
const char* find_title_end(const char* text, const char* end) {
  return find_first(text, end, [](auto c) { return (c < ' ') & (c != '\t'); });
}

// Finds the borders of FASTQ records. Sequence and quality may span lines, and a line of quality may begin with '@'.
// Only its length shows where the quality ends: with the line that makes it as long as the sequence. So records must be
// found one after another, from the first on.
class FastqScanner final : public RecordScanner {
 public:
  // `of_alignments`: the text is that of reads of SAM, BAM or CRAM, which has no lines that a user could see.
  FastqScanner(std::string path, std::int64_t line, CutterOptions options, bool of_alignments = false)
      : path_(std::move(path)), options_(options), of_alignments_(of_alignments), line_(line) {}

  void scan(const PendingText& pending, std::vector<RecordText>& records, std::size_t& whole) override {
    const std::string_view all = pending.view();
    whole = 0;
    while (skip_blank(all, whole)) {
      std::size_t zero = 0;
      if (const FoundRecords* found = pending.found(whole, zero)) {
        const auto first = records.insert(records.end(), found->records.begin(), found->records.end());
        std::for_each(first, records.end(), [by = static_cast<std::uint32_t>(zero)](auto& one) { move(one, by); });
        line_ += found->lines;
        whole = zero + found->end;
      } else if (!scan_one(all, pending.whole(), records, whole)) {
        return;
      }
    }
  }

  // Finds records in a piece of text, from the first place on that looks like a record.
  FoundRecords find(std::string_view text) {
    FoundRecords found;
    found.begin = likely_begin(text);
    std::size_t whole = found.begin;
    const std::int64_t line = line_;
    try {
      while (skip_blank(text, whole) && scan_one(text, false, found.records, whole)) {
        found.end = whole;
        found.lines = line_ - line;
      }
    } catch (const DataError&) {
      // The text before shows whether this is a record at all.
    }
    return found;
  }

 private:
  static void move(RecordText& record, std::uint32_t by) {
    for (std::uint32_t* const at : {&record.title_begin, &record.name_begin, &record.name_end, &record.sequence_begin,
                                    &record.sequence_end, &record.quality_begin, &record.quality_end}) {
      *at += by;
    }
  }

  // Where four lines look like a record: a title, and behind its '+' line a quality as long as the sequence. The end of
  // the text if there are none.
  static std::size_t likely_begin(std::string_view text) {
    std::array<std::size_t, 5> lines{};  // where they begin
    std::size_t known = 0;
    for (std::size_t at = 0; at < text.size();) {
      lines[known++] = at;
      if (known == lines.size()) {
        const auto& [title, sequence, plus, quality, next] = lines;
        if (text[title] == '@' && text[plus] == '+' && text[next] == '@' && next - quality == plus - sequence)
          return title;
        std::copy(lines.begin() + 1, lines.end(), lines.begin());
        --known;
      }
      at = text.find('\n', at);
      at = at == std::string_view::npos ? text.size() : at + 1;
    }
    return text.size();
  }

  // Passes over blank lines; false at the end of the text.
  bool skip_blank(std::string_view text, std::size_t& at) {
    while (at < text.size() && is_line_end(text[at])) line_ += text[at++] == '\n';
    return at < text.size();
  }

  // Appends the record at `whole` and moves `whole` behind it; false if it is cut. `is_whole`: nothing follows `all`.
  bool scan_one(std::string_view all, bool is_whole, std::vector<RecordText>& records, std::size_t& whole) {
    // Bytes that an allowed record cannot reach are left out, so that errors do not depend on how much was read.
    text_ = all.substr(0, whole + options_.max_record_bytes);
    const bool in_full = text_.size() == all.size();
    last_ = in_full && is_whole;
    at_ = whole;
    lines_ = 0;
    RecordText record{};
    if (!scan_four_lines(record) && !scan_record(record)) {
      if (!in_full) fail(fmt::format("longer than {} bytes", options_.max_record_bytes));
      return false;
    }
    records.push_back(record);
    line_ += lines_;
    whole = at_;
    return true;
  }

  struct Line {
    std::size_t begin, end;  // without line break
  };

  // The next line. Nothing when the text ends inside it and more is to come.
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

  // Nearly all records are four lines that end with LF, and say nothing behind '+'. False, and nothing is done, unless
  // this is such a record and has no fault.
  bool scan_four_lines(RecordText& record) {
    const char* const begin = text_.data() + at_;
    const char* const end = text_.data() + text_.size();
    if (*begin != '@') return false;
    const char* const name_end = find_control_or_blank(begin + 1, end);
    if (name_end == begin + 1) return false;  // a blank before the name, or none
    const char* const title_end = find_title_end(name_end, end);
    if (title_end == end || *title_end != '\n' || title_end - begin > max_title()) return false;

    const char* const sequence = title_end + 1;
    if (sequence == end || *sequence == '@' || *sequence == '+') return false;
    const char* const sequence_end = find_lf(sequence, end);
    const std::ptrdiff_t letters = sequence_end - sequence;
    if (letters == 0 || sequence_end[-1] == '\r' || end - sequence_end < letters + 4) return false;
    if (sequence_end[1] != '+' || sequence_end[2] != '\n') return false;
    const char* const quality = sequence_end + 3;
    const char* const quality_end = quality + letters;
    if (find_lf(quality, quality_end + 1) != quality_end || *quality_end != '\n' || quality_end[-1] == '\r')
      return false;

    const auto place = [this](const char* at) { return static_cast<std::uint32_t>(at - text_.data()); };
    record = {place(begin),        place(begin + 1), place(name_end),   place(sequence),
              place(sequence_end), place(quality),   place(quality_end)};
    at_ = place(quality_end) + 1;
    lines_ = 4;
    return true;
  }

  std::ptrdiff_t max_title() const { return static_cast<std::ptrdiff_t>(options_.max_title_bytes); }

  // False when the text ends inside the record and more is to come.
  bool scan_record(RecordText& record) {
    if (text_[at_] != '@')
      throw DataError(fmt::format("{}: line {}: expected '@' at the start of a record, found {}", path_, line_,
                                  printable(text_[at_])));
    const std::size_t begin = at_;
    name_ = {};
    const auto title = take_line();
    check_title(text_.substr(begin, (title ? title->end : text_.size()) - begin));
    if (!title) return false;
    name_ = name_in_title(text_.substr(begin + 1, title->end - begin - 1));
    const auto name_begin = static_cast<std::size_t>(name_.data() - text_.data());

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
    if (!take_line()) return false;
    const auto quality = take_quality(letters);
    if (!quality) return false;

    const auto place = [](std::size_t at) { return static_cast<std::uint32_t>(at); };
    record = {place(begin),          place(name_begin),   place(name_begin + name_.size()),
              place(sequence.begin), place(sequence.end), place(quality->begin),
              place(quality->end)};
    return true;
  }

  // Tags of SAM, which stand after tabs, may be as long as a record: those of long reads name all bases.
  void check_title(std::string_view title) const {
    const std::string_view first = title.substr(0, options_.max_title_bytes + 1);
    check_line_ends(first);
    if (first.size() <= options_.max_title_bytes || first.find('\t') != std::string_view::npos) return;
    throw DataError(
        fmt::format("{}: line {}: header line longer than {} bytes", path_, line_, options_.max_title_bytes));
  }

  // Lines end with LF here, with or without CR before it: looking for CR in every line would cost a tenth of the time.
  // Text whose lines end with CR alone shows by its first title.
  void check_line_ends(std::string_view title) const {
    const std::size_t cr = title.find('\r');
    if (cr >= title.size() - std::min<std::size_t>(title.size(), 1)) return;
    throw DataError(
        fmt::format("{}: line {}: it ends with CR alone (an old Mac file?): FASTQ needs lines that end with "
                    "LF or CR LF: try tr '\\r' '\\n' < FILE",
                    path_, line_));
  }

  // All lines of the quality. Nothing when the text ends inside it and more is to come.
  std::optional<Line> take_quality(std::size_t letters) {
    Line quality{at_, at_};
    std::size_t characters = 0;
    std::optional<std::size_t> before_at;  // characters before the first line that may be the next title
    for (bool first = true; first || characters < letters; first = false) {
      if (at_ == text_.size()) {
        if (!last_) return std::nullopt;
        if (characters == letters) return quality;  // both 0, and no final line break
        fail(fmt::format("quality has {} characters, sequence has {}, and the text ends there", characters, letters));
      }
      const auto line = take_line();
      if (!line) return std::nullopt;
      if (!first && !before_at && line->begin < line->end && text_[line->begin] == '@') before_at = characters;
      characters += line->end - line->begin;
      quality.end = line->end;
      if (characters > letters)
        fail(fmt::format("quality has {} characters, sequence has {}", before_at.value_or(characters), letters));
    }
    return quality;
  }

  [[noreturn]] void fail(std::string_view what) const {
    const std::string place = of_alignments_ ? "" : fmt::format(" (line {})", line_);
    throw DataError(fmt::format("{}: record '{}'{}: {}", path_, name_, place, what));
  }

  std::string path_;
  CutterOptions options_;
  bool of_alignments_;
  std::int64_t line_;       // number of the line that the scanned record begins on, from 1
  std::int64_t lines_ = 0;  // lines of that record so far
  std::string_view text_;
  std::string_view name_;
  std::size_t at_ = 0;
  bool last_ = false;
};

}  // namespace

std::unique_ptr<Cutter> make_fastq_cutter(PendingText text, std::int64_t line, CutterOptions options) {
  const bool of_alignments = text.file()->alignments().has_value();
  auto scanner = std::make_unique<FastqScanner>(text.file()->path(), line, options, of_alignments);
  text.find_records([path = text.file()->path(), options](std::string_view piece) {
    return FastqScanner(path, 1, options).find(piece);
  });
  return std::make_unique<RecordCutter>(Format::fastq, std::move(text), std::move(scanner), options);
}

}  // namespace basesweep
