// Opens plain, gzip and BGZF input, told apart by content.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

namespace basesweep {

enum class Compression { none, gzip, bgzf };

// One input: a path, or "-" for stdin. Bytes come decompressed. Not for use by several threads, except read_at.
class InputFile {
 public:
  // `threads` help to inflate BGZF. Throws IoError when missing, a directory or unreadable.
  static std::shared_ptr<InputFile> open(const std::string& path, int threads);
  virtual ~InputFile() = default;

  // Reads 1 to `size` bytes (`size` is not 0), or returns 0 at the end of input. Throws IoError, or DataError for
  // compressed data that is damaged or ends early; earlier calls have then given out what was inflated before.
  virtual std::size_t read(char* to, std::size_t size) = 0;

  // Plain regular files only: any thread may read anywhere. Returns fewer bytes only at the end of the file.
  virtual bool seekable() const { return false; }
  virtual std::size_t read_at(char* to, std::size_t size, std::int64_t offset) const;
  // Size in bytes of a seekable file as it was when opened.
  virtual std::int64_t size() const { return -1; }

  // BGZF files only: loads an index (.gzi), after which seek() may be called. Throws IoError, DataError.
  virtual void load_index(const std::string& path);
  // The next byte read is the one at `offset`, in decompressed text.
  virtual void seek(std::int64_t offset);

  virtual Compression compression() const = 0;
  const std::string& path() const { return path_; }  // "<stdin>" for "-"

 protected:
  explicit InputFile(std::string path) : path_(std::move(path)) {}

 private:
  std::string path_;
};

}  // namespace basesweep
