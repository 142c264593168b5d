// Input files: plain or compressed, recognised by their content.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "lib/reader/alignments.hpp"
#include "lib/reader/text_piece.hpp"

namespace basesweep {

enum class Compression { none, gzip, bgzf, zstd, bzip2, xz };

// As reports name it: "none", "gzip", "bgzf", "zstd", "bzip2", "xz".
const char* compression_name(Compression compression);
// How it is decompressed, for messages: "zstd, decompressed by libzstd in one thread". `threads`: those that
// InputFile::open() may use. `bytes`: of the file; -1: not known.
std::string how_decompressed(Compression compression, int threads, std::int64_t bytes = -1);
// Whether only a reader that begins at the start can decompress it.
constexpr bool is_read_from_start(Compression compression) {
  return compression != Compression::none && compression != Compression::bgzf;
}

// One input file, read as decompressed bytes. Only read_at() may be called by several threads at once.
class InputFile {
 public:
  // `path`: "-" is stdin; it may be a URL. `threads`: helpers that inflate gzip and BGZF or decode alignments.
  // `alignments`: if it is not null, files of SAM, BAM and CRAM read as the FASTQ text of their reads. Throws IoError
  // when the file is missing, a directory or unreadable.
  static std::shared_ptr<InputFile> open(const std::string& path, int threads,
                                         const AlignmentOptions* alignments = nullptr);
  // The same for a file of which only parts are wanted: a plain one is seekable() also behind a URL. Throws IoError
  // when its server sends no ranges.
  static std::shared_ptr<InputFile> open_ranges(const std::string& path, int threads);
  // A file whose content `text` holds, and seekable. `path` and `compression`: of the file that it was read from.
  static std::shared_ptr<InputFile> in_memory(std::string path, RawBlock text, Compression compression);
  virtual ~InputFile() = default;

  // Reads 1 to `size` bytes (`size` is not 0) and returns how many; 0 at the end of the input. Throws IoError, and
  // DataError for compressed data that is damaged or ends early, after earlier calls returned all text before the
  // fault.
  virtual std::size_t read(char* to, std::size_t size) = 0;

  // Has the text handed out by next_piece() from now on, instead of read(), in pieces of at most `bytes` where that is
  // possible. False: this file cannot, or not in such small pieces.
  virtual bool give_pieces(std::size_t /*bytes*/) { return false; }
  // The next piece; one without text at the end of the input. Throws like read().
  virtual TextPiece next_piece();
  // Has records looked for in the pieces that no helper has begun with. Ignored by files that have no helpers.
  virtual void find_records(RecordFinder /*finder*/) {}

  // Whether this is a plain regular file or in memory, the only kinds that have read_at() and size().
  virtual bool seekable() const { return false; }
  // Reads `size` bytes at `offset`, from any thread. Returns fewer only at the end of the file. Throws IoError.
  virtual std::size_t read_at(char* to, std::size_t size, std::int64_t offset) const;
  // Bytes that a seekable file had when it was opened.
  virtual std::int64_t size() const { return -1; }

  // Compressed files only: how many bytes of the file, as it is stored, the text so far took. -1: not known.
  virtual std::int64_t stored_bytes_read() const { return -1; }

  // BGZF files only: loads a .gzi index, after which seek() may be called. Throws IoError, DataError.
  virtual void load_index(const std::string& path);
  // Makes the next read begin at `offset` of the decompressed text.
  virtual void seek(std::int64_t offset);

  virtual Compression compression() const = 0;
  // What is known about a file of alignments that is read as FASTQ; nothing for other files. Throws like read().
  virtual std::optional<AlignmentInfo> alignments() { return std::nullopt; }
  const std::string& path() const { return path_; }  // "<stdin>" for "-"

 protected:
  explicit InputFile(std::string path) : path_(std::move(path)) {}

 private:
  std::string path_;
};

}  // namespace basesweep
