#include "lib/reader/open_input.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <htslib/hfile.h>
#include <htslib/hts_log.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <map>
#include <optional>
#include <span>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "lib/base/error.hpp"
#include "lib/base/fields.hpp"
#include "lib/base/letter_case.hpp"
#include "lib/base/stream_names.hpp"
#include "lib/base/threads.hpp"
#include "lib/reader/alignment_file.hpp"
#include "lib/reader/alignment_format.hpp"
#include "lib/reader/alignment_records.hpp"
#include "lib/reader/compressed_file.hpp"
#include "lib/reader/plain_pieces.hpp"
#include "lib/reader/seekable_file.hpp"
#include "lib/reader/url_file.hpp"
#include "lib/reader/url_wait.hpp"

namespace basesweep {
namespace {

class Descriptor {
 public:
  explicit Descriptor(int fd) noexcept : fd_(fd) {}
  Descriptor(Descriptor&& other) noexcept : fd_(other.release()) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (fd_ >= 0) ::close(fd_);
  }
  int get() const noexcept { return fd_; }
  int release() noexcept { return std::exchange(fd_, -1); }

 private:
  int fd_;
};

// Reads until `size` bytes or the end of the file are reached.
std::size_t pread_fully(const std::string& path, int fd, char* to, std::size_t size, std::int64_t offset) {
  std::size_t done = 0;
  while (done < size) {
    const ssize_t got = ::pread(fd, to + done, size - done, offset + static_cast<std::int64_t>(done));
    if (got == 0) break;
    if (got > 0) {
      done += static_cast<std::size_t>(got);
    } else if (errno != EINTR) {
      throw IoError(path, "cannot read", errno);
    }
  }
  return done;
}

class PlainFile final : public SeekableFile {
 public:
  PlainFile(const std::string& path, Descriptor fd, std::int64_t size, int threads)
      : SeekableFile(path), fd_(std::move(fd)), size_(size), threads_(threads) {}

  std::size_t read_at(char* to, std::size_t size, std::int64_t offset) const override {
    const std::size_t got = pread_fully(path(), fd_.get(), to, size, offset);
    if (got < size && offset + static_cast<std::int64_t>(got) < size_) throw became_shorter(path());
    return got;
  }
  std::int64_t size() const override { return size_; }
  Compression compression() const override { return Compression::none; }

  // Two threads are fed by the one that reads. With helpers, `count` took a tenth more processor time and no less
  // time (two processors, 2026-11-29).
  bool give_pieces(std::size_t bytes) override {
    if (bytes < PlainPieces::kMinPiece || threads_ <= 2 || size_ == 0 || position() != 0) return false;
    pieces_.emplace(*this, 0, std::min(bytes, kMaxPiece), threads_);
    return true;
  }
  TextPiece next_piece() override { return pieces_->next(); }
  void find_records(RecordFinder finder) override { pieces_->find_records(std::move(finder)); }

 private:
  static constexpr std::size_t kMaxPiece = std::size_t{1} << 20;

  Descriptor fd_;
  std::int64_t size_;
  int threads_;
  std::optional<PlainPieces> pieces_;
};

class PlainStream final : public InputFile {
 public:
  PlainStream(const std::string& path, Stream stream) : InputFile(path), stream_(std::move(stream)) {}

  std::size_t read(char* to, std::size_t size) override {
    const UrlWait wait(path());
    const ssize_t got = hread(stream_.get(), to, size);
    if (got < 0) throw IoError(path(), "cannot read", errno);
    return static_cast<std::size_t>(got);
  }
  Compression compression() const override { return Compression::none; }

 private:
  Stream stream_;
};

class MemoryFile final : public SeekableFile {
 public:
  MemoryFile(std::string path, RawBlock text, Compression compression)
      : SeekableFile(std::move(path)), text_(std::move(text)), compression_(compression) {}

  std::size_t read_at(char* to, std::size_t size, std::int64_t offset) const override {
    const std::size_t from = std::min(static_cast<std::size_t>(offset), text_.size);
    const std::size_t got = std::min(size, text_.size - from);
    std::copy_n(text_.held() + from, got, to);
    return got;
  }
  std::int64_t size() const override { return static_cast<std::int64_t>(text_.size); }
  Compression compression() const override { return compression_; }

 private:
  RawBlock text_;
  Compression compression_;
};

Descriptor open_descriptor(const std::string& path, const std::string& name) {
  // Standard input is duplicated, because HTSlib closes the descriptor that it gets.
  int fd = -1;
  do {
    fd = path == "-" ? ::fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0) : ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  } while (fd < 0 && errno == EINTR);
  if (fd < 0) throw IoError(name, "cannot open", errno);
  return Descriptor(fd);
}

}  // namespace

IoError became_shorter(const std::string& path) { return {path, "the file became shorter while it was read"}; }

namespace {

int processors() {
  static const int all = available_threads();
  return all;
}

std::optional<int> gzip_threads_of_environment() {
  const char* const wanted = std::getenv("BASESWEEP_GZIP_THREADS");
  if (wanted == nullptr || *wanted == '\0') return std::nullopt;
  int number = 0;
  if (!parse_number(wanted, number) || number < 1 || number > kMaxThreads) {
    throw UsageError(fmt::format("BASESWEEP_GZIP_THREADS={}: expected a number from 1 to {}", wanted, kMaxThreads));
  }
  return number;
}

}  // namespace

// Several threads do up to 1.7 times the work of ISA-L's one (docs/benchmarks.md), so they must be three, with a
// processor each, and the file must have some spans for each.
int gzip_threads(int threads, std::int64_t bytes) {
  constexpr int kMinThreads = 3;
  constexpr std::int64_t kMinBytes = 8 << 20;
  if (const std::optional<int> fixed = gzip_threads_of_environment()) return *fixed;
  const int usable = std::min(threads, processors());
  return usable >= kMinThreads && (bytes < 0 || bytes >= kMinBytes) ? bgzf_threads(usable) : 1;
}

// Workers search what helpers inflate. With as many helpers as processors, 16 threads on 16 processors took 1.24 times
// as long as with 12 helpers (BGZF of 3.1 Gb of FASTA, Intel Xeon, 2026-11-24); gzip of 600 Mb at level 6 1.2 times.
int bgzf_threads(int threads) {
  constexpr int kAlways = 8;
  return std::min(threads, std::max(kAlways, processors() / 4 * 3));
}

namespace {

// In long spans less of the text is made with marks, which takes longer; short files must be enough for all threads.
// Against 512 KiB, spans of 1 MiB took 0.8 to 0.95 of the processor time for FASTA at level 6 and about as much for
// level 1 and for FASTQ; 2 MiB took more memory and no less time (same machine).
GzipThreads gzip_spans(int threads, std::int64_t bytes) {
  constexpr std::int64_t kLeast = 1 << 19, kMost = 1 << 20, kSpansPerThread = 4;
  const std::int64_t share = bytes / (kSpansPerThread * threads);
  return {.threads = threads, .span_bytes = static_cast<std::size_t>(std::clamp(share, kLeast, kMost))};
}

}  // namespace

void CloseStream::operator()(hFILE* stream) const noexcept {
  const UrlWait wait;
  hclose_abruptly(stream);
}

namespace {

void silence_htslib() { [[maybe_unused]] static const bool done = (hts_set_log_level(HTS_LOG_OFF), true); }

// A stream with its first bytes, which stay in it. `bytes`: of the file; -1: not known.
struct Opened {
  std::string name;
  Stream stream;
  std::int64_t bytes = -1;
  bool whole_file = false;                    // a regular file, read from its beginning
  std::shared_ptr<const InputFile> stored{};  // a whole file of BGZF that several threads may read
  std::array<char, kMagicBytes> head{};
  std::size_t head_bytes = 0;

  std::span<const char> begin() const { return {head.data(), head_bytes}; }
};

// Throws for a file of 0 bytes whose name says that it is of a format which has a header or a mark of its end.
void refuse_empty(const std::string& name) {
  struct Format {
    std::string_view ending;
    const char* noun;
  };
  constexpr std::array kFormats = std::to_array<Format>({{".gz", "a gzip file"},
                                                         {".bgz", "a BGZF file"},
                                                         {".bgzf", "a BGZF file"},
                                                         {".zst", "a zstd file"},
                                                         {".bz2", "a bzip2 file"},
                                                         {".xz", "an xz file"},
                                                         {".bam", "a BAM file"},
                                                         {".cram", "a CRAM file"},
                                                         {".2bit", "a .2bit file"},
                                                         {".bsx", "a compiled set"}});
  const std::string path = lower_case(is_url(name) ? name.substr(0, name.find_first_of("?#")) : name);
  for (const Format& format : kFormats) {
    if (!path.ends_with(format.ending)) continue;
    throw DataError(fmt::format(
        "{}: the file is empty: {} has some bytes even where it holds nothing, so this one was cut off; make it again",
        name, format.noun));
  }
}

void peek(Opened& opened) {
  const UrlWait wait(opened.name);
  const ssize_t got = hpeek(opened.stream.get(), opened.head.data(), opened.head.size());
  if (got < 0) throw IoError(opened.name, "cannot read", errno);
  if (got < std::min<std::int64_t>(opened.bytes, kMagicBytes)) throw became_shorter(opened.name);
  opened.head_bytes = static_cast<std::size_t>(got);
  if (got == 0) refuse_empty(opened.name);
}

// HTSlib looks at 4 KiB, for which text in a pipe should not wait.
bool may_be_alignments(const Opened& opened) {
  const Compression compression = compression_of(opened.begin());
  return compression == Compression::bgzf ||
         (compression == Compression::none && begins_like_alignments(opened.begin()));
}

std::shared_ptr<InputFile> read_stream(Opened opened, int threads, const AlignmentOptions* alignments) {
  auto& [name, stream, bytes, whole_file, stored, head, head_bytes] = opened;
  const Compression compression = compression_of(opened.begin());
  if (alignments != nullptr && may_be_alignments(opened)) {
    const UrlWait wait(name);
    if (const auto format = find_alignment_format(stream.get()))
      return make_alignment_file(name, std::move(stream), whole_file, compression, *format, *alignments, threads);
  }
  switch (compression) {
    case Compression::none: return std::make_shared<PlainStream>(name, std::move(stream));
    case Compression::gzip: {
      const int helpers = gzip_threads(threads, bytes);
      if (helpers == 1) return make_gzip_file(name, std::move(stream), bytes);
      return make_parallel_gzip_file(name, std::move(stream), bytes, gzip_spans(helpers, bytes));
    }
    case Compression::bgzf:
      return make_bgzf_file(name, std::move(stream), bytes, bgzf_threads(threads), std::move(stored));
    case Compression::zstd:
    case Compression::bzip2:
    case Compression::xz: break;
  }
  return make_decoded_file(name, std::move(stream), bytes, compression);
}

std::optional<AlignmentFormat> format_of(Opened& opened) {
  if (!may_be_alignments(opened)) return std::nullopt;
  const UrlWait wait(opened.name);
  return find_alignment_format(opened.stream.get());
}

// Sets whether it is a whole regular file, and how long. Standard input may be a regular file that another process has
// read a part of. That is treated as a stream.
void look_at(const Descriptor& fd, Opened& opened) {
  struct stat status {};
  if (::fstat(fd.get(), &status) != 0) throw IoError(opened.name, "cannot read", errno);
  if (S_ISDIR(status.st_mode)) throw IoError(opened.name, "cannot read", EISDIR);
  opened.whole_file = S_ISREG(status.st_mode) && ::lseek(fd.get(), 0, SEEK_CUR) == 0;
  if (opened.whole_file) opened.bytes = status.st_size;
}

void take_stream(Descriptor fd, Opened& opened) {
  opened.stream.reset(hdopen(fd.get(), "r"));
  if (opened.stream == nullptr) throw IoError(opened.name, "cannot read", errno);
  static_cast<void>(fd.release());  // the stream owns it now
}

// Opens a file as a stream, whatever it is.
Opened open_as_stream(const std::string& path) {
  silence_htslib();
  Opened opened{input_name(path), nullptr};
  if (is_url(path)) {
    opened.stream = open_url(path);
  } else {
    Descriptor fd = open_descriptor(path, opened.name);
    look_at(fd, opened);
    take_stream(std::move(fd), opened);
  }
  peek(opened);
  return opened;
}

// Streams that were looked at, by path.
std::map<std::string, Opened>& kept_streams() {
  static std::map<std::string, Opened> streams;
  return streams;
}

}  // namespace

std::shared_ptr<InputFile> open_input(const std::string& path, int threads, const AlignmentOptions* alignments) {
  silence_htslib();
  if (auto kept = kept_streams().extract(path)) return read_stream(std::move(kept.mapped()), threads, alignments);
  Opened opened{input_name(path), nullptr};
  if (is_url(path)) {
    opened.stream = open_url(path);
    peek(opened);
    return read_stream(std::move(opened), threads, alignments);
  }
  const std::string& name = opened.name;
  Descriptor fd = open_descriptor(path, name);
  look_at(fd, opened);
  if (opened.whole_file) {
    if (opened.bytes == 0) refuse_empty(name);
    std::array<char, kMagicBytes> head{};
    const std::size_t got = pread_fully(name, fd.get(), head.data(), head.size(), 0);
    if (static_cast<std::int64_t>(got) < std::min<std::int64_t>(opened.bytes, kMagicBytes)) throw became_shorter(name);
    const Compression compression = compression_of({head.data(), got});
    if (compression == Compression::bgzf && threads > 1) {
      Descriptor copy(::fcntl(fd.get(), F_DUPFD_CLOEXEC, 0));
      if (copy.get() < 0) throw IoError(name, "cannot open", errno);
      opened.stored = std::make_shared<PlainFile>(name, std::move(copy), opened.bytes, threads);
    }
    if (compression == Compression::none && !(alignments != nullptr && begins_like_alignments({head.data(), got})))
      return std::make_shared<PlainFile>(name, std::move(fd), opened.bytes, threads);
  }
  take_stream(std::move(fd), opened);
  peek(opened);
  return read_stream(std::move(opened), threads, alignments);
}

std::optional<AlignmentFormat> alignment_format_of(const std::string& path) {
  Opened opened = open_as_stream(path);
  const std::optional<AlignmentFormat> format = format_of(opened);
  // Standard input shares its place with its duplicate, so it is kept as pipes are.
  if (!opened.whole_file || path == "-") kept_streams().insert_or_assign(path, std::move(opened));
  return format;
}

std::shared_ptr<AlignmentRecords> open_alignment_records(const std::string& path, int threads,
                                                         const AlignmentOptions& options) {
  auto kept = kept_streams().extract(path);
  Opened opened = kept ? std::move(kept.mapped()) : open_as_stream(path);
  const std::optional<AlignmentFormat> format = format_of(opened);
  if (!format) throw DataError(fmt::format("{}: expected SAM, BAM or CRAM", opened.name));
  const Compression compression = compression_of(opened.begin());
  return make_alignment_records(opened.name, std::move(opened.stream), opened.whole_file, compression, *format, options,
                                threads);
}

std::shared_ptr<InputFile> open_ranges(const std::string& path, int threads) {
  if (!is_url(path)) return open_input(path, threads);
  silence_htslib();
  Opened opened{path, open_url(path)};
  peek(opened);
  if (compression_of(opened.begin()) == Compression::none) return make_url_file(path, std::move(opened.stream));
  return read_stream(std::move(opened), threads, nullptr);
}

std::shared_ptr<InputFile> input_in_memory(std::string path, RawBlock text, Compression compression) {
  return std::make_shared<MemoryFile>(std::move(path), std::move(text), compression);
}

}  // namespace basesweep
