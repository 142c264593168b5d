// Output that appears only when it is complete.
#pragma once

#include <string>
#include <string_view>

#include "lib/writer/byte_sink.hpp"
#include "lib/writer/temporaries.hpp"

struct BGZF;

namespace basesweep {

enum class OutputCompression {
  by_name,  // BGZF where the name ends in .gz
  none,
  bgzf,
};

// A regular file is written under a temporary name beside its place and renamed by commit(); without that it is
// removed. A device, a fifo or stdout ("-") is written directly.
class OutputFile final : public ByteSink {
 public:
  // `threads` help to compress. Throws IoError.
  OutputFile(const std::string& path, int threads, OutputCompression compression = OutputCompression::by_name);
  ~OutputFile() override;
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  void write(std::string_view text) override;
  // Where whoever compresses by other means may write, instead of calling write(). It stays this object's.
  int descriptor() const { return fd_; }
  // As messages call it.
  const std::string& path() const { return path_; }
  // Everything is on the disk, and the file has its name. Throws IoError.
  void commit();

 private:
  void open_temporary(bool replaces, unsigned mode);
  void open_bgzf(int threads);
  void write_plain(std::string_view text);
  void sync(const std::string& path) const;
  void discard() noexcept;
  [[noreturn]] void fail_compressed() const;

  std::string path_;
  std::string target_;     // path_ with links followed
  std::string temporary_;  // empty: written directly
  int fd_ = -1;
  BGZF* bgzf_ = nullptr;
  Temporary watched_;
};

}  // namespace basesweep
