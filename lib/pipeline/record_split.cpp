#include "lib/pipeline/record_split.hpp"

#include <algorithm>
#include <limits>
#include <string_view>
#include <utility>

#include "lib/base/error.hpp"
#include "lib/base/sequence_text.hpp"

namespace basesweep {
namespace {

constexpr std::size_t kWriteBytes = std::size_t{1} << 18;

bool in_memory(const RawBlock& block) { return block.file == nullptr; }

// Where the record ends in its block, with its line end.
std::int64_t end_of(const HeldRecord& held) {
  const std::string_view rest = held.text(held.record.quality_end, static_cast<std::uint32_t>(held.block.size));
  std::size_t end = rest.find_first_not_of('\r');
  end = end == std::string_view::npos ? rest.size() : end + (rest[end] == '\n' ? 1 : 0);
  return static_cast<std::int64_t>(held.record.quality_end + end);
}

// A record without bases at the end of a FASTQ file may lack the line of its quality. What is written after it would be
// taken for that line, so it is written from a copy that has it; null for all other records.
std::shared_ptr<const RawBlock> with_quality_line(const HeldRecord& held) {
  const RecordText& record = held.record;
  if (held.block.format != Format::fastq || record.quality_end != held.block.size ||
      record.quality_begin != record.quality_end) {
    return nullptr;
  }
  auto copy = std::make_shared<RawBlock>();
  const std::string_view text = held.text(record.title_begin, record.quality_end);
  copy->bytes.assign(text.begin(), text.end());
  if (!is_line_end(copy->bytes.back())) copy->bytes.push_back('\n');
  copy->bytes.push_back('\n');
  copy->size = copy->bytes.size();
  return copy;
}

// The line ends that a record of FASTQ without bases lacks at the end of a file: of its line "+", and of the empty line
// of its quality. `text`: of a whole record.
std::size_t missing_line_ends(std::string_view text) {
  std::string_view rest = text.substr(std::min(text.find('\n'), text.size()));
  rest.remove_prefix(std::min(rest.find_first_not_of("\r\n"), rest.size()));
  if (!rest.starts_with('+')) return 0;  // it has bases
  const auto line_ends = static_cast<std::size_t>(std::count(rest.begin(), rest.end(), '\n'));
  return line_ends < 2 ? 2 - line_ends : 0;
}

}  // namespace

RecordSplit::RecordSplit(RecordSplitOptions options)
    : options_(std::move(options)),
      spool_(options_.spool_directory),
      matching_{Output{options_.matching.first}, Output{options_.matching.second}},
      others_{Output{options_.others.first}, Output{options_.others.second}} {}

void RecordSplit::add(const PackedBlock& block) {
  const std::lock_guard lock(mutex_);
  block.has_pairs() ? add_pairs(block.text) : add_records(block);
  if (held_bytes_ > options_.max_held_bytes) spool();
}

void RecordSplit::check_format(Format format) {
  if (format_.value_or(format) != format) {
    throw UsageError("--matching-reads and --other-reads need inputs of one format; these are FASTA and FASTQ");
  }
  format_ = format;
}

void RecordSplit::add_records(const PackedBlock& block) {
  check_format(block.format);
  if (block.format == Format::twobit)
    throw UsageError("--matching-reads and --other-reads need FASTA or FASTQ, not .2bit");
  const auto size = static_cast<std::int64_t>(block.text->size);
  const auto next = [&](std::size_t i) -> std::int64_t {
    return i < block.starts.size() ? block.starts[i].text_begin : size;
  };
  add_piece(block.text, 0, next(0));
  for (std::size_t i = 0; i < block.starts.size(); ++i) {
    ++record_;
    add_piece(block.text, next(i), next(i + 1));
  }
  if (block.format != Format::fastq || block.starts.empty() || !in_memory(*block.text)) return;
  const std::int64_t last = block.starts.back().text_begin;
  const std::size_t missing = missing_line_ends({block.text->held() + last, static_cast<std::size_t>(size - last)});
  if (missing == 0) return;
  const auto line_ends = std::make_shared<RawBlock>();  // else the next record would be taken for its quality
  line_ends->bytes.assign(missing, '\n');
  line_ends->size = missing;
  add_piece(line_ends, 0, static_cast<std::int64_t>(missing));
}

void RecordSplit::add_pairs(const std::shared_ptr<const RawBlock>& block) {
  if (!paired_) paired_ = true;  // other threads may read it
  const auto add = [&](const HeldRecord& mate) {
    ++record_;
    check_format(mate.block.format);
    if (std::shared_ptr<const RawBlock> copy = with_quality_line(mate)) {
      const auto size = static_cast<std::int64_t>(copy->size);
      return add_piece(std::move(copy), 0, size);
    }
    // The block of pairs owns the block that holds the text.
    add_piece({block, &mate.block}, mate.record.title_begin, end_of(mate));
  };
  for_each_pair(*block, [&](const HeldRecord& first, const HeldRecord& second) {
    add(first);
    add(second);
    return true;
  });
}

void RecordSplit::add_piece(std::shared_ptr<const RawBlock> block, std::int64_t begin, std::int64_t end) {
  if (begin == end) return;
  if (in_memory(*block)) held_bytes_ += static_cast<std::size_t>(end - begin);
  waiting_.push_back({record_, std::move(block), begin, end});
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
  if (has_hit_.size() <= static_cast<std::size_t>(record)) has_hit_.resize(static_cast<std::size_t>(record) + 1);
  has_hit_[static_cast<std::size_t>(record)] = true;
}

std::vector<RecordSplit::Piece> RecordSplit::take_decided(std::int64_t record) {
  const std::lock_guard lock(mutex_);
  std::vector<Piece> taken;
  while (!waiting_.empty() && decided(waiting_.front().record, record)) {
    const Piece& piece = taken.emplace_back(std::move(waiting_.front()));
    waiting_.pop_front();
    if (piece.block != nullptr && in_memory(*piece.block)) {
      held_bytes_ -= static_cast<std::size_t>(piece.end - piece.begin);
    }
  }
  return taken;
}

void RecordSplit::decide(std::int64_t record) {
  for (const Piece& piece : take_decided(record)) write(piece);
}

void RecordSplit::finish() {
  decide(std::numeric_limits<std::int64_t>::max());
  for (auto* outputs : {&matching_, &others_}) {
    for (Output& output : *outputs) flush(output);
  }
}

void RecordSplit::write(const Piece& piece) {
  std::array<Output, 2>& outputs = matched(piece.record) ? matching_ : others_;
  Output& output = outputs[1].sink != nullptr && is_second(piece.record) ? outputs[1] : outputs[0];
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
  if (in_memory(*piece.block)) return {piece.block->held() + piece.begin, size};
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
