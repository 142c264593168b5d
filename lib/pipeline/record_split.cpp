#include "lib/pipeline/record_split.hpp"

#include <limits>
#include <utility>

#include "lib/base/error.hpp"
#include "lib/base/sequence_text.hpp"

namespace basesweep {
namespace {

constexpr std::size_t kWriteBytes = std::size_t{1} << 18;

bool in_memory(const RawBlock& block) { return block.file == nullptr; }

}  // namespace

RecordSplit::RecordSplit(RecordSplitOptions options)
    : options_(std::move(options)),
      spool_(options_.spool_directory),
      matching_{options_.matching},
      others_{options_.others} {}

void RecordSplit::add(const PackedBlock& block) {
  const std::lock_guard lock(mutex_);
  if (format_.value_or(block.format) != block.format) {
    throw UsageError("--matching-reads and --other-reads need inputs of one format; these are FASTA and FASTQ");
  }
  format_ = block.format;
  if (block.format == Format::twobit)
    throw UsageError("--matching-reads and --other-reads need FASTA or FASTQ, not .2bit");
  const auto size = static_cast<std::int64_t>(block.text->size);
  const auto next = [&](std::size_t i) -> std::int64_t {
    return i < block.starts.size() ? block.starts[i].text_begin : size;
  };
  if (in_memory(*block.text)) held_bytes_ += block.text->size;
  add_piece(block.text, 0, next(0));
  for (std::size_t i = 0; i < block.starts.size(); ++i) {
    ++record_;
    add_piece(block.text, next(i), next(i + 1));
  }
  if (held_bytes_ > options_.max_held_bytes) spool();
}

void RecordSplit::add_piece(const std::shared_ptr<const RawBlock>& block, std::int64_t begin, std::int64_t end) {
  if (begin != end) waiting_.push_back({record_, block, begin, end});
}

// Moves the text that waits in memory to the temporary file.
void RecordSplit::spool() {
  for (Piece& piece : waiting_) {
    if (piece.block == nullptr || !in_memory(*piece.block)) continue;
    const auto size = piece.end - piece.begin;
    piece.begin = spool_.append({piece.block->held() + piece.begin, static_cast<std::size_t>(size)});
    piece.end = piece.begin + size;
    piece.block.reset();
  }
  held_bytes_ = 0;
}

void RecordSplit::mark(std::int64_t record) {
  if (matched_.size() <= static_cast<std::size_t>(record)) matched_.resize(static_cast<std::size_t>(record) + 1);
  matched_[static_cast<std::size_t>(record)] = true;
}

bool RecordSplit::matched(std::int64_t record) const {
  return record >= 0 && static_cast<std::size_t>(record) < matched_.size() &&
         matched_[static_cast<std::size_t>(record)];
}

std::vector<RecordSplit::Piece> RecordSplit::take_decided(std::int64_t record) {
  const std::lock_guard lock(mutex_);
  std::vector<Piece> decided;
  while (!waiting_.empty() && (waiting_.front().record < record || matched(waiting_.front().record))) {
    decided.push_back(std::move(waiting_.front()));
    waiting_.pop_front();
    const RawBlock* const left = decided.back().block.get();
    const bool more = !waiting_.empty() && waiting_.front().block.get() == left;
    if (left != nullptr && in_memory(*left) && !more) held_bytes_ -= left->size;
  }
  return decided;
}

void RecordSplit::decide(std::int64_t record) {
  for (const Piece& piece : take_decided(record)) write(piece);
}

void RecordSplit::finish() {
  decide(std::numeric_limits<std::int64_t>::max());
  flush(matching_);
  flush(others_);
}

void RecordSplit::write(const Piece& piece) {
  Output& output = matched(piece.record) ? matching_ : others_;
  if (output.sink == nullptr) return;
  const std::string_view text = text_of(piece);
  if (output.record != piece.record && !is_line_end(output.last)) output.bytes += '\n';
  output.record = piece.record;
  output.bytes += text;
  output.last = text.back();
  if (output.bytes.size() >= kWriteBytes) {
    output.sink->write(output.bytes);
    output.bytes.clear();
  }
}

std::string_view RecordSplit::text_of(const Piece& piece) {
  const auto size = static_cast<std::size_t>(piece.end - piece.begin);
  if (piece.block == nullptr) {
    open_.reset();
    scratch_.resize(size);
    spool_.read_at(piece.begin, scratch_.data(), size);
    return {scratch_.data(), size};
  }
  if (open_ != piece.block) {
    open_text_ = piece.block->text(scratch_);
    open_ = piece.block;
  }
  return {open_text_.data() + piece.begin, size};
}

void RecordSplit::flush(Output& output) {
  if (output.sink == nullptr) return;
  if (!is_line_end(output.last)) output.bytes += '\n';
  output.sink->write(output.bytes);
}

}  // namespace basesweep
