// Output files that appear only when they are complete.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "lib/writer/byte_sink.hpp"
#include "lib/writer/temporaries.hpp"

namespace basesweep {

class BgzfWriter;

enum class OutputCompression {
  by_name,  // BGZF if the name ends in .gz, in either case
  none,
  bgzf,
  binary,  // as it is, but no text
};

// A regular file is written under a temporary name in the same folder. commit() gives it its name; without commit() it
// is removed. A device, a fifo or stdout ("-") is written directly.
class OutputFile final : public ByteSink {
 public:
  // `threads`: helpers that compress BGZF. Throws IoError, and UsageError for a terminal unless the output is text.
  OutputFile(const std::string& path, int threads, OutputCompression compression = OutputCompression::by_name);
  ~OutputFile() override;
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  // Throws IoError.
  void write(std::string_view text) override;
  // The open file, for a caller that writes to it in another way instead of calling write(). This object closes it.
  int descriptor() const { return fd_; }
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
  void open_temporary(bool replaces, unsigned mode);
  void write_plain(std::string_view text);
  void discard() noexcept;

  std::string path_;
  std::string target_;     // where the file will be: path_ with links resolved
  std::string temporary_;  // its path until then; empty: written directly
  int fd_ = -1;
  std::unique_ptr<BgzfWriter> bgzf_;  // when the output is compressed
  bool finished_ = false;
  Temporary watched_;
};

}  // namespace basesweep
