#include "lib/reads/read_source.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <utility>

#include "lib/base/error.hpp"
#include "lib/base/stream_names.hpp"
#include "lib/reads/read_groups.hpp"

namespace basesweep {
namespace {

std::size_t bytes_of(const RecordSlice& slice) {
  return slice.block->records[slice.end - 1].quality_end - slice.block->records[slice.begin].name_begin;
}

std::string_view name_of(const RawBlock& block, const RecordText& record) {
  return {block.held() + record.name_begin, record.name_end - record.name_begin};
}

// Records of one input, taken in order; at most one block of them is read ahead. The first of its files has number
// `first_file` among those of both inputs.
class Input {
 public:
  explicit Input(ReaderOptions options, std::size_t first_file = 0)
      : reader_(std::move(options)),
        first_file_(static_cast<std::uint32_t>(first_file)),
        taken_(reader_.paths().size()) {}

  void hold(std::size_t block_bytes) { reader_.hold(block_bytes); }
  // Whether the first input is SAM, BAM or CRAM.
  bool begins_with_alignments() {
    open_first();
    return !reader_.sources().empty() && reader_.sources().front().alignments;
  }
  void open_first() { reader_.open_first(); }
  const RawBlock* first_block() { return reader_.first_block(); }
  // Reads ahead until sources() say whether alignments are pairs.
  std::optional<Format> format() { return reader_.format(); }
  // Makes sure that there is a record to take; false at the end of the input. Throws as Reader::next().
  bool fill() {
    if (more()) return true;
    std::optional<RawBlock> block = reader_.next();
    if (!block) return false;
    block->source += first_file_;
    block_ = std::make_shared<const RawBlock>(std::move(*block));
    at_ = 0;
    return true;
  }
  RecordSlice take(std::size_t count) {
    const std::size_t begin = std::exchange(at_, at_ + count);
    taken_[file()] += count;
    return {block_, begin, at_};
  }

  bool more() const { return block_ != nullptr && at_ < block_->records.size(); }  // in the block at hand
  // The next six are for when there are more.
  std::size_t at_hand() const { return block_->records.size() - at_; }
  std::uint32_t file() const { return block_->source - first_file_; }
  const SourceInfo& source() const { return reader_.sources()[file()]; }
  std::string_view next_name() const { return name_of(*block_, block_->records[at_]); }
  std::uint64_t taken(std::uint32_t file) const { return taken_[file]; }
  const Reader& reader() const { return reader_; }

 private:
  Reader reader_;
  const std::uint32_t first_file_;
  std::shared_ptr<const RawBlock> block_;
  std::size_t at_ = 0;                // first record of block_ that was not taken
  std::vector<std::uint64_t> taken_;  // records taken, of each file
};

ReaderOptions reader_options(const ReadSourceOptions& options, const std::vector<std::string>& paths) {
  ReaderOptions reading{.paths = paths,
                        .threads = options.threads,
                        .whole_records = true,
                        .records = options.records,
                        .alignments = options.alignments,
                        .warn = options.warn};
  reading.alignments.mates = true;
  if (!options.mate_paths.empty())
    reading.no_alignments =
        "SAM, BAM and CRAM say themselves which reads are mates, so it must be the only input of reads, without -1 and "
        "-2";
  return reading;
}

}  // namespace

struct ReadSource::State {
  explicit State(ReadSourceOptions given);

  void hold(std::size_t block_bytes);
  bool interleaved();
  std::string read_groups();
  std::optional<RawReads> next();

  // These add to the batch until it is full, or the input ends. They throw as ReadSource::next().
  void collect_single();
  void collect_pairs();
  void collect_mates();

  bool fill_first();
  void check_read_groups();
  void add(std::vector<RecordSlice>& slices, RecordSlice slice);
  void drop_last();  // record of batch.first
  bool full() const { return 2 * batch.text_bytes >= options.block_bytes || room() == 0; }
  std::size_t room() const { return kMaxReadsOfBatch - count; }
  DataError unequal() const;
  template <class Number>
  std::optional<std::int64_t> sum(Number number_of) const;

  ReadSourceOptions options;
  std::vector<std::string> paths;  // of both inputs, as messages name them
  std::size_t second_path;
  Input first;
  std::optional<Input> second;
  std::optional<bool> paired_alignments;   // whether alignments must hold pairs; nothing if that does not matter
  std::optional<ReadGroups> known_groups;  // those that read_groups() returned
  std::uint32_t groups_checked = 0;        // files whose read groups are known to be among them
  std::uint64_t batches = 0;
  std::exception_ptr fault;  // comes after the last batch

  RawReads batch;         // the batch being collected
  std::size_t count = 0;  // reads in it
};

ReadSource::State::State(ReadSourceOptions given)
    : options(std::move(given)),
      paths(options.paths),
      second_path(options.paths.size()),
      first(reader_options(options, options.paths)) {
  if (!options.mate_paths.empty()) {
    if (options.mate_paths.size() != second_path) {
      throw UsageError(fmt::format("{} files of first mates, {} of second mates: expected the same number", second_path,
                                   options.mate_paths.size()));
    }
    paths.insert(paths.end(), options.mate_paths.begin(), options.mate_paths.end());
    if (std::count(paths.begin(), paths.end(), "-") > 1)
      throw UsageError("'-' (standard input) is given more than once");
    second.emplace(reader_options(options, options.mate_paths), second_path);
  }
  paths = input_names(std::move(paths));
  hold(options.block_bytes);
}

// Two inputs fill a batch by halves.
void ReadSource::State::hold(std::size_t block_bytes) {
  options.block_bytes = block_bytes;
  first.hold(second ? block_bytes / 2 : block_bytes);
  if (second) second->hold(block_bytes / 2);
}

// With --interleaved it does not matter whether alignments say that their reads are pairs.
bool ReadSource::State::interleaved() {
  if (second || options.interleaved) return options.interleaved;
  paired_alignments = false;
  if (!first.begins_with_alignments()) return false;
  first.format();
  const std::vector<SourceInfo>& sources = first.reader().sources();
  const auto with_reads = std::find_if(sources.begin(), sources.end(), [](const auto& one) { return one.format; });
  if (with_reads != sources.end() && with_reads->alignments)
    paired_alignments = with_reads->alignments->paired.value_or(false);
  return options.interleaved = *paired_alignments;
}

// Makes sure that `first` has a record to take; false at the end of the input.
bool ReadSource::State::fill_first() {
  if (!first.fill()) return false;
  if (known_groups) check_read_groups();
  if (!paired_alignments) return true;
  const std::optional<AlignmentInfo>& found = first.source().alignments;
  const bool paired = found && found->paired.value_or(false);
  if (paired == *paired_alignments) return true;
  throw DataError(fmt::format("{}: its reads {} pairs, those of the inputs before it {}: give them one by one",
                              paths[first.file()], paired ? "are" : "are not", paired ? "are not" : "are"));
}

std::string ReadSource::State::read_groups() {
  known_groups.emplace();
  if (second) return "";
  first.begins_with_alignments();
  for (const SourceInfo& source : first.reader().sources()) {
    if (source.alignments) known_groups->add(source.path, source.alignments->read_groups);
  }
  return known_groups->lines();
}

// The header is written before files that come through a pipe are reached.
void ReadSource::State::check_read_groups() {
  for (; groups_checked <= first.file(); ++groups_checked) {
    const SourceInfo& source = first.reader().sources()[groups_checked];
    if (!source.alignments) continue;
    for (const std::string& line : source.alignments->read_groups) {
      if (!known_groups->has(line))
        throw DataError(
            fmt::format("{}: its @RG lines are read when the header is written already; an input that comes "
                        "through a pipe must be the first one to keep RG",
                        source.path));
    }
  }
}

std::optional<RawReads> ReadSource::State::next() {
  if (fault) std::rethrow_exception(fault);
  batch = {};
  count = 0;
  try {
    second ? collect_mates() : options.interleaved ? collect_pairs() : collect_single();
  } catch (...) {
    fault = std::current_exception();
    if (options.interleaved && count % 2 == 1) drop_last();
    if (count == 0) throw;
  }
  if (count == 0) return std::nullopt;
  batch.number = batches++;
  batch.paths = paths;
  return std::move(batch);
}

void ReadSource::State::collect_single() {
  while (!full() && fill_first()) add(batch.first, first.take(std::min(first.at_hand(), room())));
}

void ReadSource::State::collect_pairs() {
  while (!full() || count % 2 == 1) {
    const bool more = fill_first();
    if (count % 2 == 1) {
      const RecordSlice& last = batch.first.back();
      const std::uint32_t file = last.block->source;
      if (!more || first.file() != file) {
        throw DataError(
            fmt::format("{}: record '{}' has no mate: {} records, an odd number; each first "
                        "mate needs its second mate after it",
                        paths[file], name_of(*last.block, last.block->records[last.end - 1]), first.taken(file)));
      }
    }
    if (!more) return;
    add(batch.first, first.take(full() ? 1 : std::min(first.at_hand(), room())));
  }
}

void ReadSource::State::collect_mates() {
  while (!full()) {
    const bool more_first = first.fill(), more_second = second->fill();
    if (!more_first && !more_second) return;
    if (!more_first || !more_second || first.file() != second->file()) throw unequal();
    const std::size_t pairs = std::min({first.at_hand(), second->at_hand(), room() / 2});
    add(batch.first, first.take(pairs));
    add(batch.second, second->take(pairs));
  }
}

// The error when one input has another record in a file, and the other input's file has none left.
DataError ReadSource::State::unequal() const {
  const bool first_has_more = !second->more() || (first.more() && first.file() < second->file());
  const Input& more = first_has_more ? first : *second;
  const Input& less = first_has_more ? *second : first;
  const std::uint32_t file = more.file();
  const std::string& path_of_more = paths[file + (first_has_more ? 0 : second_path)];
  const std::string& path_of_less = paths[file + (first_has_more ? second_path : 0)];
  return DataError(
      fmt::format("{}: record '{}' has no mate: {} has only {} records; both files need all pairs, in "
                  "the same order",
                  path_of_more, more.next_name(), path_of_less, less.taken(file)));
}

void ReadSource::State::add(std::vector<RecordSlice>& slices, RecordSlice slice) {
  batch.text_bytes += bytes_of(slice);
  count += slice.end - slice.begin;
  slices.push_back(std::move(slice));
}

void ReadSource::State::drop_last() {
  RecordSlice slice = std::move(batch.first.back());
  batch.first.pop_back();
  batch.text_bytes -= bytes_of(slice);
  count -= slice.end - slice.begin;
  if (--slice.end > slice.begin) add(batch.first, std::move(slice));
}

// The sum over both inputs, where both numbers are known.
template <class Number>
std::optional<std::int64_t> ReadSource::State::sum(Number number_of) const {
  std::optional<std::int64_t> number = number_of(first.reader());
  if (!second || !number) return number;
  const std::optional<std::int64_t> of_mates = number_of(second->reader());
  return of_mates ? std::optional(*number + *of_mates) : std::nullopt;
}

ReadSource::ReadSource(ReadSourceOptions options) : state_(std::make_unique<State>(std::move(options))) {}

ReadSource::~ReadSource() = default;

void ReadSource::hold(std::size_t block_bytes) { state_->hold(block_bytes); }

bool ReadSource::interleaved() { return state_->interleaved(); }

std::string ReadSource::read_groups() { return state_->read_groups(); }

std::optional<RawReads> ReadSource::next() { return state_->next(); }

const RawBlock* ReadSource::first_block() { return state_->first.first_block(); }

std::optional<Format> ReadSource::format() { return state_->first.format(); }

void ReadSource::open_first() { state_->first.open_first(); }

std::vector<SourceInfo> ReadSource::sources() const {
  std::vector<SourceInfo> sources = state_->first.reader().sources();
  if (!state_->second) return sources;
  const std::vector<SourceInfo>& mates = state_->second->reader().sources();
  sources.insert(sources.end(), mates.begin(), mates.end());
  return sources;
}

std::optional<std::int64_t> ReadSource::stored_bytes() const {
  return state_->sum([](const Reader& reader) { return reader.stored_bytes(); });
}

std::int64_t ReadSource::stored_bytes_read() const {
  return *state_->sum([](const Reader& reader) { return std::optional(reader.stored_bytes_read()); });
}

std::optional<std::int64_t> ReadSource::expected_bases() const {
  return state_->sum([](const Reader& reader) { return reader.expected_bases(); });
}

}  // namespace basesweep
