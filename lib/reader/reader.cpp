#include "lib/reader/reader.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <string_view>
#include <utility>

#include "lib/base/error.hpp"
#include "lib/base/sequence_text.hpp"
#include "lib/base/stream_names.hpp"
#include "lib/reader/compressed_file.hpp"
#include "lib/reader/cutter.hpp"
#include "lib/reader/file_type.hpp"
#include "lib/reader/files_ahead.hpp"
#include "lib/reader/open_input.hpp"
#include "lib/reader/pending_text.hpp"
#include "lib/reader/twobit_file.hpp"
#include "lib/reader/whole_text.hpp"
#include "lib/search/packed_batch.hpp"

namespace basesweep {
namespace {

constexpr std::size_t kLookAhead = 4096;
constexpr std::size_t kTwoBitMagic = 4;                       // bytes that is_twobit() looks at
constexpr std::size_t kMaxBlockBytes = std::size_t{1} << 30;  // positions in a block have 32 bits

// Drops a byte order mark. HTSlib would have to read SAM, and does not know the mark.
void drop_mark(PendingText& text) {
  const std::size_t mark = byte_order_mark(text.view());
  if (mark == 0) return;
  text.read_to(kLookAhead);
  const InputFile& file = *text.file();
  if (const auto other = explain_marked_type({text.view(), file.compression(), file.path()})) throw DataError(*other);
  text.drop(mark);
}

// Drops blanks, counting lines, and finds the format by the first other byte; nothing if there is none.
std::optional<Format> find_format(PendingText& text, std::size_t block_bytes, std::int64_t& line) {
  do {
    text.read_to(std::min(kLookAhead, block_bytes));
    const std::string_view ahead = text.view();
    const std::size_t blank = std::min(ahead.find_first_not_of(" \t\r\n"), ahead.size());
    line += std::count(ahead.begin(), ahead.begin() + static_cast<std::ptrdiff_t>(blank), '\n');
    text.drop(blank);
    if (text.size() == 0 && text.all_read()) {
      text.throw_fault();
      return std::nullopt;
    }
  } while (text.size() == 0);
  text.read_to(kLookAhead);  // a type may be known by bytes far from the first

  const std::string& path = text.file()->path();
  const char first = text.view().front();
  if (first == '>') return Format::fasta;
  const auto other = explain_text_type({text.view(), text.file()->compression(), path});
  if (first == '@' && !other) return Format::fastq;
  text.throw_fault();  // the data are damaged right behind, so this byte may be damaged too
  if (other) throw DataError(*other);
  if (is_sequence_byte(first))
    throw DataError(fmt::format("{}: line {}: sequence before the first header ('>' or '@')", path, line));
  throw DataError(fmt::format("{}: neither FASTA nor FASTQ: expected '>' or '@', found 0x{:02x} at byte {}", path,
                              static_cast<unsigned char>(first), text.offset()));
}

}  // namespace

const char* format_name(const SourceInfo& source) {
  if (source.alignments) return alignment_format_name(source.alignments->format);
  if (!source.format) return "";
  switch (*source.format) {
    case Format::fasta: return "FASTA";
    case Format::fastq: return "FASTQ";
    case Format::twobit: return ".2bit";
  }
  return "";
}

struct Reader::State {
  ReaderOptions options;
  std::optional<std::int64_t> expected_bases = 0;
  std::optional<std::int64_t> stored_bytes = 0;
  std::atomic<std::int64_t> stored_bytes_read = 0;
  std::unique_ptr<FilesAhead> ahead;  // the files below may be its own
  std::int64_t passed_files = 0;      // bytes of the files before the one being read
  std::int64_t plain_bytes = 0;       // that blocks took of that file, where it is seekable
  std::shared_ptr<InputFile> file;    // being read
  std::size_t files_opened = 0;
  std::shared_ptr<InputFile> first;  // opened by open_first(), not read yet
  std::uint64_t blocks = 0;
  std::vector<RawBlock> kept;       // by first_block(): the first block, if there is one
  std::exception_ptr kept_fault;    // by first_block(): what next() throws
  std::unique_ptr<Cutter> cutter;   // of the file being read
  std::int64_t records_passed = 0;  // counted only when cutting at records
  bool drops_empty = false;         // reads without bases come for their number alone

  std::shared_ptr<InputFile> open(const std::string& path, int threads) const;
  bool suits_helper(std::size_t number, const SourceInfo& source) const;
  void read_ahead(const std::vector<SourceInfo>& sources);
  std::shared_ptr<InputFile> open_file(std::size_t number);
  SourceInfo check(const std::string& path);
  void open_next(std::vector<SourceInfo>& sources);
  std::unique_ptr<Cutter> open_twobit(PendingText& text) const;
  void count_bytes(const RawBlock& block);
  bool keep_range(RawBlock& block, const SourceInfo& source);
  bool range_done() const;
  void check_total() const;
};

std::shared_ptr<InputFile> Reader::State::open(const std::string& path, int threads) const {
  if (!options.windows.empty() && is_url(path)) return open_ranges(path, threads);
  std::shared_ptr<InputFile> file = open_input(path, threads, &options.alignments);
  const auto found = file->alignments();
  if (!found || options.no_alignments.empty()) return file;
  throw DataError(fmt::format("{}: {}: {}", file->path(), alignment_format_name(found->format), options.no_alignments));
}

// Checks that a file can be read, and adds it to the expected sizes. A regular file is opened and closed again, since
// there may be more files than descriptors, and standard input is put back to where it was. A pipe is not opened,
// because its writer would notice.
SourceInfo Reader::State::check(const std::string& path) {
  if (is_url(path)) {
    const std::shared_ptr<InputFile> file = open(path, 1);
    stored_bytes.reset();
    expected_bases.reset();
    return {.path = path, .compression = file->compression(), .format = {}, .alignments = file->alignments()};
  }
  struct stat status {};
  const bool is_stdin = path == "-";
  if ((is_stdin ? ::fstat(STDIN_FILENO, &status) : ::stat(path.c_str(), &status)) != 0)
    throw IoError(input_name(path), "cannot open", errno);
  std::shared_ptr<InputFile> file;
  if (S_ISREG(status.st_mode) || S_ISDIR(status.st_mode)) {
    const off_t begin = is_stdin ? ::lseek(STDIN_FILENO, 0, SEEK_CUR) : 0;
    file = open(path, 1);
    if (is_stdin && ::lseek(STDIN_FILENO, begin, SEEK_SET) < 0) throw IoError(input_name(path), "cannot read", errno);
  } else if (!is_stdin && ::access(path.c_str(), R_OK) != 0) {
    throw IoError(path, "cannot open", errno);
  }
  constexpr std::int64_t kBasesInCompressedByte = 4;
  const bool one_a_byte = file != nullptr && file->seekable() && !is_twobit(*file);
  if (file == nullptr || file->alignments()) {
    stored_bytes.reset();
  } else if (stored_bytes) {
    *stored_bytes += status.st_size;
  }
  if (file == nullptr) {
    expected_bases.reset();
  } else if (expected_bases) {
    *expected_bases += one_a_byte ? file->size() : kBasesInCompressedByte * status.st_size;
  }
  SourceInfo source;
  source.path = input_name(path);
  if (file != nullptr) {
    source.compression = file->compression();
    source.alignments = file->alignments();
    source.bytes = status.st_size;
  }
  return source;
}

// Whether one helper decompresses the file, because it is small or only one thread can.
bool Reader::State::suits_helper(std::size_t number, const SourceInfo& source) const {
  constexpr std::int64_t kSmallBgzf = 8 << 20;
  if (options.paths[number] == "-" || source.bytes < 0 || source.alignments) return false;
  switch (source.compression) {
    case Compression::none: return false;
    case Compression::gzip: return gzip_threads(options.threads, source.bytes) == 1;
    case Compression::bgzf: return source.bytes < kSmallBgzf;
    case Compression::zstd:
    case Compression::bzip2:
    case Compression::xz: break;
  }
  return true;
}

// Lets helpers begin with the files behind those that are open.
void Reader::State::read_ahead(const std::vector<SourceInfo>& sources) {
  if (options.threads < 2 || !options.windows.empty()) return;
  std::vector<std::size_t> files;
  for (std::size_t i = first == nullptr ? 0 : 1; i < sources.size(); ++i) {
    if (suits_helper(i, sources[i])) files.push_back(i);
  }
  if (files.size() < 2) return;
  ahead = std::make_unique<FilesAhead>(std::move(files), options.threads,
                                       [this](std::size_t number) { return open(options.paths[number], 1); });
}

std::shared_ptr<InputFile> Reader::State::open_file(std::size_t number) {
  if (first != nullptr) return std::exchange(first, nullptr);
  if (ahead != nullptr) {
    if (std::shared_ptr<InputFile> found = ahead->take(number)) return found;
  }
  return open(options.paths[number], options.threads);
}

void Reader::State::open_next(std::vector<SourceInfo>& sources) {
  if (files_opened == 0) read_ahead(sources);
  if (files_opened != 0) passed_files += std::max<std::int64_t>(sources[files_opened - 1].bytes, 0);
  plain_bytes = 0;
  SourceInfo& source = sources[files_opened];
  file = open_file(files_opened++);
  source.compression = file->compression();

  PendingText text(file, options.windows.empty() ? options.block_bytes : 0);
  text.read_to(kTwoBitMagic);
  if (is_twobit(text.view()) && !options.whole_records) {
    source.format = Format::twobit;
    cutter = open_twobit(text);
    return;
  }
  drop_mark(text);
  std::int64_t line = 1;
  const std::optional<Format> format = find_format(text, options.block_bytes, line);
  source.format = format;
  source.alignments = file->alignments();
  const CutterOptions cut{options.block_bytes, options.max_title_bytes, options.max_record_bytes};
  if (!format) {
    options.warn(fmt::format("{}: no sequence: {}", file->path(),
                             source.alignments ? "it holds no reads" : "the file is empty"));
  } else if (*format == Format::fastq) {
    cutter = make_fastq_cutter(std::move(text), line, cut);
  } else if (options.whole_records) {
    cutter = make_fasta_record_cutter(std::move(text), cut);
  } else if (!options.windows.empty()) {
    cutter = make_window_cutter(file, options.windows[files_opened - 1], cut);
  } else if (file->seekable()) {
    cutter = make_fasta_file_cutter(file, {text.offset(), file->size()}, cut);
  } else {
    cutter = make_fasta_stream_cutter(std::move(text), false, cut);
  }
}

// A .2bit file has its records at offsets, so one that comes from a stream or is compressed is read to memory first.
std::unique_ptr<Cutter> Reader::State::open_twobit(PendingText& text) const {
  const CutterOptions cut{options.block_bytes, options.max_title_bytes, options.max_record_bytes};
  std::optional<FastaWindows> windows;
  if (!options.windows.empty()) windows = options.windows[files_opened - 1];
  std::shared_ptr<InputFile> file = text.file();
  if (!file->seekable()) {
    for (std::size_t size = 1U << 20; !text.all_read(); size *= 2) {
      text.read_to(size);
      if (text.size() > kMaxWholeText)
        throw DataError(
            fmt::format("{}: .2bit data larger than {} GiB must be in an uncompressed file, which is read in place",
                        file->path(), kMaxWholeText >> 30));
    }
    text.throw_fault();
    RawBlock all;
    text.give(all, text.size());
    file = input_in_memory(file->path(), std::move(all), file->compression());
  }
  return make_twobit_cutter(file, std::move(windows), cut);
}

// Whether all requested records were read. If the last of them is the last of the plan, reading goes on, to see whether
// the input has more records than the plan.
bool Reader::State::range_done() const {
  return options.records && records_passed >= options.records->end &&
         (options.records->end != options.records->total || records_passed > options.records->total);
}

// At the end of the requested records or of the input: throws if the input has not as many records as the plan.
void Reader::State::check_total() const {
  if (!options.records) return;
  const auto [begin, end, total] = *options.records;
  const bool more = records_passed > total;
  if (!more && (records_passed >= end)) return;
  const std::string path = options.paths.size() == 1 ? input_name(options.paths.front()) : "the inputs together";
  throw DataError(more ? fmt::format("{}: more records than the plan, which has {}", path, total)
                       : fmt::format("{}: {} records, but the plan has {}", path, records_passed, total));
}

void Reader::State::count_bytes(const RawBlock& block) {
  plain_bytes += static_cast<std::int64_t>(block.size);
  stored_bytes_read = passed_files + (file->seekable() ? plain_bytes : file->stored_bytes_read());
}

// Drops the records of the block that are not requested; false if none is left.
bool Reader::State::keep_range(RawBlock& block, const SourceInfo& source) {
  if (!options.records) return true;
  const auto count = static_cast<std::int64_t>(block.records.size());
  const auto place = [&](std::int64_t record) {
    return block.records.begin() +
           static_cast<std::ptrdiff_t>(std::clamp<std::int64_t>(record - records_passed, 0, count));
  };
  const auto begin = place(options.records->begin);
  const auto end = place(options.records->end);
  records_passed += count;
  block.records.assign(std::make_move_iterator(begin), std::make_move_iterator(end));
  const bool of_pairs = options.alignments.mates && source.alignments && source.alignments->paired.value_or(false);
  if (drops_empty && source.alignments && !of_pairs)
    std::erase_if(block.records, [](const RecordText& one) { return one.sequence_begin == one.sequence_end; });
  return !block.records.empty();
}

Reader::Reader(ReaderOptions options) : state_(std::make_unique<State>()) {
  options.max_title_bytes = std::clamp<std::size_t>(options.max_title_bytes, 1, kMaxBlockBytes);
  options.max_record_bytes = std::clamp<std::size_t>(options.max_record_bytes, 1, kMaxBlockBytes);
  state_->drops_empty = options.records && !options.alignments.keep_empty;
  if (options.records) options.alignments.count_empty = true;
  state_->options = std::move(options);
  hold(state_->options.block_bytes);
  const std::vector<std::string>& paths = state_->options.paths;
  if (std::count(paths.begin(), paths.end(), "-") > 1) throw UsageError("'-' (standard input) is given more than once");
  for (const std::string& path : paths) {
    sources_.push_back(state_->check(path));
  }
}

Reader::~Reader() = default;

void Reader::hold(std::size_t block_bytes) {
  state_->options.block_bytes = std::clamp<std::size_t>(block_bytes, 1, kMaxBlockBytes);
}

const RawBlock* Reader::first_block() {
  if (state_->blocks == 0 && !state_->kept_fault) state_->kept = read_some(*this, 1, state_->kept_fault);
  return state_->kept.empty() ? nullptr : &state_->kept.front();
}

std::optional<RawBlock> Reader::next() {
  if (state_->kept_fault) std::rethrow_exception(std::exchange(state_->kept_fault, nullptr));
  if (state_->kept.empty()) return read_next();
  RawBlock block = std::move(state_->kept.front());
  state_->kept.clear();
  return block;
}

std::optional<RawBlock> Reader::read_next() {
  State& state = *state_;
  while (true) {
    if (state.cutter != nullptr) {
      if (state.range_done()) {
        state.check_total();
        return std::nullopt;
      }
      if (std::optional<RawBlock> block = state.cutter->next()) {
        state.count_bytes(*block);
        block->source = static_cast<std::uint32_t>(state.files_opened - 1);
        if (!state.keep_range(*block, sources_[block->source])) continue;
        block->number = state.blocks++;
        block->alignments = sources_[block->source].alignments.has_value();
        return block;
      }
      state.cutter.reset();
    }
    if (state.files_opened == state.options.paths.size()) {
      state.stored_bytes_read = state.stored_bytes.value_or(0);  // also what stands behind the last text
      state.check_total();
      return std::nullopt;
    }
    state.open_next(sources_);
  }
}

std::optional<Format> Reader::format() {
  while (state_->cutter == nullptr && state_->files_opened < state_->options.paths.size()) state_->open_next(sources_);
  return state_->files_opened == 0 ? std::nullopt : sources_[state_->files_opened - 1].format;
}

void Reader::open_first() {
  if (state_->first != nullptr || state_->files_opened != 0 || sources_.empty()) return;
  state_->first = state_->open(state_->options.paths.front(), state_->options.threads);
  sources_.front().compression = state_->first->compression();
  sources_.front().alignments = state_->first->alignments();
}

std::vector<RawBlock> read_some(BlockSource& source, std::size_t count, std::exception_ptr& fault) {
  std::vector<RawBlock> blocks;
  try {
    while (blocks.size() < count) {
      std::optional<RawBlock> block = source.next();
      if (!block) break;
      blocks.push_back(std::move(*block));
    }
  } catch (...) {
    fault = std::current_exception();
  }
  return blocks;
}

const std::vector<std::string>& Reader::paths() const { return state_->options.paths; }

std::optional<std::int64_t> Reader::stored_bytes() const { return state_->stored_bytes; }

std::int64_t Reader::stored_bytes_read() const { return state_->stored_bytes_read; }

std::optional<std::int64_t> Reader::expected_bases() const { return state_->expected_bases; }

}  // namespace basesweep
