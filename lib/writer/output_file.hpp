// Output files that appear only when they are complete.
#pragma once

#include <sys/types.h>

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "lib/writer/byte_sink.hpp"
#include "lib/writer/compression_pool.hpp"
#include "lib/writer/descriptor_cache.hpp"
#include "lib/writer/temporaries.hpp"

namespace basesweep {

class BgzfWriter;

enum class OutputCompression {
  by_name,  // BGZF if the name ends in .gz, in either case
  none,
  bgzf,
  binary,  // as it is, but no text
};

// The usual level for text. HTSlib's default, 6, makes files that are a fifth smaller, but writing 5 million lines of
// BED then takes 2.8 s of processor time instead of 0.7 (0.4 without compression; 2026-11-27, AMD EPYC).
inline constexpr int kTextLevel = 1;

// A regular file is written under a temporary name in the same folder. commit() gives it its name; without commit() it
// is removed. A device, a fifo or stdout ("-") is written directly.
class OutputFile final : public ByteSink {
 public:
  // `pool`: compresses BGZF. `level`: of that compression, 0 to 9; nothing: kTextLevel for by_name, else HTSlib's
  // default. Throws IoError, and UsageError for a terminal unless the output is text.
  OutputFile(const std::string& path, const std::shared_ptr<CompressionPool>& pool,
             OutputCompression compression = OutputCompression::by_name, std::optional<int> level = std::nullopt);
  // With a pool of its own.
  OutputFile(const std::string& path, int threads, OutputCompression compression = OutputCompression::by_name,
             std::optional<int> level = std::nullopt)
      : OutputFile(path, std::make_shared<CompressionPool>(threads), compression, level) {}
  ~OutputFile() override;
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  // Throws IoError.
  void write(std::string_view text) override;
  // The open file, for a caller that writes to it in another way instead of calling write(). This object closes it, but
  // not before finish(). Throws IoError.
  int descriptor() { return file_.keep_open(path_); }
  // Where the content is before commit(): a path with a temporary name, or the output's own for one that is written
  // directly.
  const std::string& written_to() const { return temporary_.empty() ? path_ : temporary_; }
  // The path as messages show it: "<stdout>" for "-".
  const std::string& path() const { return path_; }
  // Puts everything on the disk. Nothing can be written after it. Throws IoError.
  void finish();
  // finish(), unless it was called, and gives the file its name. Throws IoError.
  void commit();

 private:
  friend void finish_files(std::span<OutputFile* const> files, int threads);
  friend void place_files(std::span<OutputFile* const> files);

  void open_target(const std::string& path);
  bool open_temporary();
  void write_plain(std::string_view text);
  void finish_text();
  void rename_into_place();
  void discard() noexcept;

  std::string path_;
  std::string target_;          // where the file will be: path_ with links resolved
  std::string temporary_;       // its path until then; empty: written directly
  std::optional<mode_t> mode_;  // of the file that is replaced, which the new one gets at its end
  CachedDescriptor file_;
  std::unique_ptr<BgzfWriter> bgzf_;  // when the output is compressed
  bool finished_ = false;
  Temporary watched_;
};

// finish() for all files, several at once where there are many; `threads` compress. If that fails, throws the error of
// the first file in the list that has one, and all are removed.
void finish_files(std::span<OutputFile* const> files, int threads);
// After finish_files(): gives all files their names, in this order. If one cannot have its name, that one and those
// after it are removed, and the error is thrown.
void place_files(std::span<OutputFile* const> files);

}  // namespace basesweep
