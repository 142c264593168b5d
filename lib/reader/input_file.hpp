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

// The name in reports: "none", "gzip", "bgzf", "zstd", "bzip2", "xz".
const char* compression_name(Compression compression);
// Whether only a reader that begins at the start can decompress it.
constexpr bool is_read_from_start(Compression compression) {
  return compression != Compression::none && compression != Compression::bgzf;
}

// One input file, read as decompressed bytes. Only read_at() may be called by several threads at once.
class InputFile {
 public:
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
  // The known facts about a file of alignments that is read as FASTQ; nothing for other files. Throws like read().
  virtual std::optional<AlignmentInfo> alignments() { return std::nullopt; }
  const std::string& path() const { return path_; }  // "<stdin>" for "-"

 protected:
  explicit InputFile(std::string path) : path_(std::move(path)) {}

 private:
  std::string path_;
};

}  // namespace basesweep
