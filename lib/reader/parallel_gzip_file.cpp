#include <fmt/format.h>
#include <htslib/hfile.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <exception>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "lib/base/error.hpp"
#include "lib/reader/compressed_file.hpp"
#include "lib/reader/gzip_resume.hpp"
#include "lib/reader/gzip_spans.hpp"
#include "lib/reader/url_wait.hpp"

namespace basesweep {
namespace {

constexpr int kMaxMisses = 4;  // spans in which no block was found where one begins, one after another
constexpr std::size_t kShortSpan = std::size_t{1} << 16;

// Spans of the file are inflated in parallel, each from a place where a block seems to start. References to text before
// that place are kept as marks. In order, each span is linked to the one before it if it started exactly where that one
// ended; then its marks can be resolved. A span that started elsewhere is inflated again from the right place.
// Everything unusual, above all faults, is left to ISA-L, which goes on from the start of a span. So the text, the
// faults and their messages are those of GzipFile.
class ParallelGzipFile final : public InputFile {
 public:
  ParallelGzipFile(const std::string& path, Stream stream, std::int64_t bytes, const GzipThreads& threads)
      : InputFile(path),
        stream_(std::move(stream)),
        bytes_(bytes),
        sizes_(threads),
        spans_(threads.threads, threads.piece_bytes) {}

  std::size_t read(char* to, std::size_t size) override {
    if (at_ == piece_.end) {
      std::optional<TextPiece> next = take_piece();
      if (!next) return serial_->read(to, size);
      piece_ = std::move(*next);
      at_ = piece_.begin;
    }
    const std::size_t got = std::min(size, piece_.end - at_);
    std::copy_n(piece_.memory.data.get() + at_, got, to);
    at_ += got;
    return got;
  }
  bool give_pieces(std::size_t bytes) override {
    if (bytes < kMinPiece || serial_ != nullptr || spans_.back() != 0) return false;
    spans_.set_pieces(std::min(bytes, kMaxPiece));
    return true;
  }
  TextPiece next_piece() override {
    if (std::optional<TextPiece> next = take_piece()) return std::move(*next);
    TextPiece piece = spans_.room().take();
    piece.end += serial_->read(piece.memory.data.get() + piece.begin, spans_.room().bytes());
    return piece;
  }
  void find_records(RecordFinder finder) override { spans_.find_records(std::move(finder)); }
  Compression compression() const override { return Compression::gzip; }
  std::int64_t stored_bytes_read() const override {
    return serial_ != nullptr ? serial_->stored_bytes_read() : handed_out_;
  }

 private:
  static constexpr std::size_t kMinPiece = std::size_t{1} << 17;
  static constexpr std::size_t kMaxPiece = std::size_t{1} << 20;

  // A place in the compressed file, in bits, with what one must know to go on there.
  struct Checkpoint {
    std::uint64_t bit = 0;
    bool begins_member = true;
    std::vector<std::uint8_t> window;  // the member's text before it
    std::uint32_t crc = 0;             // of all the member's text before it
    std::uint32_t text_bytes = 0;      // of it, modulo 2^32
  };

  // The next piece with text; nothing where ISA-L goes on.
  std::optional<TextPiece> take_piece() {
    while (serial_ == nullptr && pieces_.empty()) next_text();
    if (serial_ != nullptr) return std::nullopt;
    TextPiece piece = std::move(pieces_.back());
    pieces_.pop_back();
    return piece;
  }

  // Makes the next text the one to hand out, or goes on by ISA-L. The text may be empty.
  void next_text() {
    if (handing_out_) return finish_span();
    while (must_read()) {
      read_span();
      if (serial_ != nullptr) return;
      link_spans();
    }
    link_spans();
    const std::size_t front = spans_.front();
    if (front != linked_) {
      set_checkpoint(*spans_.span(front).start(), false, spans_.window(front));
      return spans_.await_resolved(front) ? hand_out() : go_on_serially();
    }
    set_checkpoint(end_, false, window_);
    if (spans_.empty()) return go_on_serially();
    spans_.await_inflated(front);
    link_spans();
    if (front == linked_) inflate_again();
  }

  // ISA-L would go on at `bit`, after all text that was handed out.
  void set_checkpoint(std::uint64_t bit, bool begins_member, std::vector<std::uint8_t> window) {
    checkpoint_.bit = bit;
    checkpoint_.begins_member = begins_member;
    checkpoint_.window = std::move(window);
    since_checkpoint_ = 0;
  }

  // Text that is ready must not wait for a stream, which may be slow.
  bool must_read() {
    if (all_read_ || spans_.full()) return false;
    return bytes_ >= 0 || linked_ == spans_.front() || !spans_.is_resolved(spans_.front());
  }

  // The first span is not linked, although it is inflated.
  void inflate_again() {
    GzipSpan& span = spans_.span(spans_.front());
    if (span.own_end() <= end_) {  // the text before it covers it
      ++linked_;
      spans_.pop();
      return;
    }
    if (span.start() == end_ || ++misses_ == kMaxMisses) return go_on_serially();
    span.inflate_from(end_, window_);
    resolve_here();
  }

  // Behind the text of the first span.
  void finish_span() {
    handing_out_ = false;
    GzipSpan& span = spans_.span(spans_.front());
    if (span.stopped() == Stopped::text_full) {
      // This thread makes the rest of the text, so other spans should not come to that.
      if (sizes_.span_bytes > kShortSpan) sizes_.span_bytes /= 2;
      span.inflate_more(window_);
      resolve_here();
    } else if (span.stopped() == Stopped::at_end) {
      set_checkpoint(end_, true, {});
      go_on_serially();  // its data may hold more than the member
    } else {
      spans_.pop();
    }
  }

  // Resolves the first span, which this thread has inflated.
  void resolve_here() {
    GzipSpan& span = spans_.span(spans_.front());
    if (!is_sound(span)) return go_on_serially();
    std::vector<std::uint8_t> after = span.window_after(window_);
    if (!span.resolve(window_)) return go_on_serially();
    window_ = std::move(after);
    passed(span);
    if (linked_ == spans_.front()) ++linked_;
    hand_out();
  }

  static bool is_sound(const GzipSpan& span) {
    return span.stopped() == Stopped::at_border || span.stopped() == Stopped::at_end ||
           span.stopped() == Stopped::text_full;
  }

  void passed(const GzipSpan& span) {
    end_ = span.end();
    member_ended_ = span.stopped() == Stopped::at_end;
    text_full_ = span.stopped() == Stopped::text_full;
  }

  // Has all spans resolved that go on exactly where the one before them ended.
  void link_spans() {
    while (linked_ != spans_.back() && !member_ended_ && !text_full_ && spans_.is_inflated(linked_)) {
      GzipSpan& span = spans_.span(linked_);
      if (span.start() != end_ || !is_sound(span)) return;
      std::vector<std::uint8_t> after = span.window_after(window_);
      spans_.resolve(linked_, std::exchange(window_, std::move(after)));
      passed(span);
      misses_ = 0;
      ++linked_;
    }
  }

  // Checks the first span and makes its text the one to hand out.
  void hand_out() {
    GzipSpan& span = spans_.span(spans_.front());
    for (const GzipSpan::MemberPart& part : span.parts()) {
      const std::size_t size = part.end - part.begin;
      crc_ = joined_crc(crc_, part.crc, size);
      text_bytes_ += static_cast<std::uint32_t>(size);
      if (!part.member_ends) continue;
      if (crc_ != part.said_crc || text_bytes_ != part.said_bytes) return go_on_serially();
      crc_ = 0;
      text_bytes_ = 0;
    }
    pieces_ = std::move(span.pieces());
    std::reverse(pieces_.begin(), pieces_.end());
    since_checkpoint_ += span.text_bytes();
    handing_out_ = true;
    handed_out_ = static_cast<std::int64_t>(span.end() / 8);
    if (span.stopped() == Stopped::text_full) return;
    // The text that comes next starts at this checkpoint.
    checkpoint_.crc = crc_;
    checkpoint_.text_bytes = text_bytes_;
  }

  // Reads the next span. Its last bytes are also the first of the span after it.
  void read_span() {
    const std::size_t wanted = sizes_.span_bytes + sizes_.tail_bytes;
    std::vector<std::uint8_t>& data = spare_;
    data.resize(wanted + DeflateBits::kPadding);
    std::copy(ahead_.begin(), ahead_.end(), data.begin());
    std::size_t bytes = ahead_.size();
    const UrlWait wait(path());
    const ssize_t got = hread(stream_.get(), data.data() + bytes, wanted - bytes);
    if (got < 0) stream_fault_ = std::make_exception_ptr(IoError(path(), "cannot read", errno));
    bytes += got < 0 ? 0 : static_cast<std::size_t>(got);
    all_read_ = bytes < wanted;
    const std::size_t own = all_read_ ? bytes : sizes_.span_bytes;
    ahead_.assign(data.begin() + static_cast<std::ptrdiff_t>(own), data.begin() + static_cast<std::ptrdiff_t>(bytes));
    const std::int64_t offset = read_;
    read_ += static_cast<std::int64_t>(own);
    GzipSpan& span = spans_.span(spans_.back());
    span.fill(data, bytes, own, offset, all_read_);
    if (offset == 0) {
      const auto header = gzip_header_bytes(span.data());
      if (!header || all_read_ || !spans_.start()) {
        ahead_.assign(span.data().begin(), span.data().end());
        read_ = 0;
        return go_on_serially();
      }
      end_ = *header * 8;
      span.begin_file(end_);
    }
    spans_.push();
  }

  // Leaves the rest to ISA-L, from the checkpoint on.
  void go_on_serially() {
    spans_.stop();
    GzipResume resume;
    resume.offset = static_cast<std::int64_t>(checkpoint_.bit / 8);
    const auto append = [&resume](std::int64_t offset, std::span<const std::uint8_t> bytes) {
      const auto size = static_cast<std::int64_t>(bytes.size());
      const std::int64_t passed = std::clamp<std::int64_t>(resume.offset - offset, 0, size);
      resume.ahead.insert(resume.ahead.end(), bytes.begin() + passed, bytes.end());
    };
    for (std::size_t number = spans_.front(); number != spans_.back(); ++number) {
      const GzipSpan& span = spans_.span(number);
      append(span.offset(), span.data().first(span.own_bytes()));
    }
    append(read_, ahead_);
    resume.fault = stream_fault_;
    if (!checkpoint_.begins_member)
      resume.inside = {static_cast<unsigned>(checkpoint_.bit % 8), checkpoint_.window, checkpoint_.crc,
                       checkpoint_.text_bytes};
    serial_ = resume_gzip_file(path(), std::move(stream_), bytes_, std::move(resume));
    // This was handed out already.
    std::vector<char> passed(std::min<std::size_t>(since_checkpoint_, 1U << 16));
    while (since_checkpoint_ != 0)
      since_checkpoint_ -= serial_->read(passed.data(), std::min(since_checkpoint_, passed.size()));
  }

  Stream stream_;
  std::int64_t bytes_;  // that the stream has; -1: unknown
  GzipThreads sizes_;
  GzipSpans spans_;
  std::vector<std::uint8_t> spare_;  // room for the next span
  std::vector<std::uint8_t> ahead_;  // bytes that were read and belong to the next span
  std::int64_t read_ = 0;            // bytes that belong to the spans so far
  bool all_read_ = false;
  std::exception_ptr stream_fault_;

  // Spans before this number are linked. Behind the last of them:
  std::size_t linked_ = 0;
  std::uint64_t end_ = 0;             // in bits of the file
  std::vector<std::uint8_t> window_;  // the text before it
  bool member_ended_ = false;         // no plain member follows
  bool text_full_ = false;            // the span's text goes on
  int misses_ = 0;

  bool handing_out_ = false;       // the first span was begun
  std::vector<TextPiece> pieces_;  // the pieces of it that were not handed out, the next one last
  TextPiece piece_;                // that read() hands out
  std::size_t at_ = 0;             // its next byte to hand out
  std::int64_t handed_out_ = 0;    // bytes of the file up to the end of that span's text
  std::uint32_t crc_ = 0;          // of the member's text, with that of the span
  std::uint32_t text_bytes_ = 0;
  Checkpoint checkpoint_;             // where ISA-L would go on: the start of the first span
  std::size_t since_checkpoint_ = 0;  // bytes of text that were handed out since
  std::shared_ptr<InputFile> serial_;
};

}  // namespace

std::shared_ptr<InputFile> make_parallel_gzip_file(const std::string& path, Stream stream, std::int64_t bytes,
                                                   const GzipThreads& threads) {
  return std::make_shared<ParallelGzipFile>(path, std::move(stream), bytes, threads);
}

}  // namespace basesweep
