// CRAM made of the bytes of BAM.
#pragma once

#include <string>
#include <string_view>

#include "lib/writer/byte_sink.hpp"
#include "lib/writer/cram_file.hpp"

namespace basesweep {

// Takes what would be written to a BAM file: first its header in one call, then records, which calls may cut anywhere.
class CramSink final : public ByteSink {
 public:
  // The arguments are those of CramFile.
  CramSink(const std::string& path, int threads, const std::string& reference) : file_(path, threads, reference) {}

  void write(std::string_view bytes) override;
  CramFile& file() { return file_; }

 private:
  CramFile file_;
  bool has_header_ = false;
  std::string rest_;  // the start of a record that goes on in the next bytes
};

}  // namespace basesweep
