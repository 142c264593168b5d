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

// A record of FASTQ without bases at the end of a file may lack the line of its quality, and the end of the line "+".
// The number of line ends that it lacks. `text`: of a whole record.
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
  if (!block.starts.empty()) complete_last(*block.text, block.starts.back().text_begin, size);
}

void RecordSplit::complete_last(const RawBlock& block, std::int64_t begin, std::int64_t end) {
  if (block.format != Format::fastq || !in_memory(block) || end != static_cast<std::int64_t>(block.size)) return;
  const std::size_t missing = missing_line_ends({block.held() + begin, static_cast<std::size_t>(end - begin)});
  if (missing == 0) return;
  const auto line_ends = std::make_shared<RawBlock>();
  line_ends->bytes.assign(missing, '\n');
  line_ends->size = missing;
  add_piece(line_ends, 0, static_cast<std::int64_t>(missing));
}

void RecordSplit::add_pairs(const std::shared_ptr<const RawBlock>& block) {
  const auto add = [&](const HeldRecord& mate) {
    ++record_;
    check_format(mate.block.format);
    const std::int64_t begin = mate.record.title_begin;
    const std::int64_t end = end_of(mate);
    // The block of pairs owns the block that holds the text.
    add_piece({block, &mate.block}, begin, end);
    complete_last(mate.block, begin, end);
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
  for (RecordBytes& piece : waiting_) {
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

std::vector<RecordSplit::RecordBytes> RecordSplit::take_decided(std::int64_t record) {
  const std::lock_guard lock(mutex_);
  std::vector<RecordBytes> taken;
  while (!waiting_.empty() && decided(waiting_.front().record, record)) {
    const RecordBytes& piece = taken.emplace_back(std::move(waiting_.front()));
    waiting_.pop_front();
    if (piece.block != nullptr && in_memory(*piece.block)) {
      held_bytes_ -= static_cast<std::size_t>(piece.end - piece.begin);
    }
  }
  return taken;
}

void RecordSplit::decide(std::int64_t record) {
  for (const RecordBytes& piece : take_decided(record)) write(piece);
}

void RecordSplit::finish() {
  decide(std::numeric_limits<std::int64_t>::max());
  for (auto* outputs : {&matching_, &others_}) {
    for (Output& output : *outputs) flush(output);
  }
}

SplitCounts RecordSplit::counts() const {
  SplitCounts counts{.pairs = options_.pairs.has_value()};
  const std::int64_t step = counts.pairs ? 2 : 1;
  for (std::int64_t record = 0; record <= record_; record += step) {
    ++(matched(record) ? counts.matching : counts.others);
  }
  return counts;
}

void RecordSplit::write(const RecordBytes& piece) {
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

std::string_view RecordSplit::text_of(const RecordBytes& piece) {
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
