// CRAM output that appears only when it is complete.
#pragma once

#include <memory>
#include <string>
#include <string_view>

namespace basesweep {

// Takes BAM records and writes CRAM 3.0 through OutputFile. Never asks the network for a reference.
class CramFile {
 public:
  // `reference`: the FASTA file that the records are aligned to, plain or BGZF; its index is made in a temporary
  // folder, which goes with this object, and nothing is written beside it. Throws UsageError where the reference is
  // stdin, a pipe, or plain gzip, IoError.
  CramFile(const std::string& path, int threads, const std::string& reference, const std::string& header_text);
  ~CramFile();
  CramFile(const CramFile&) = delete;
  CramFile& operator=(const CramFile&) = delete;

  // Whole BAM records, each with its size in front.
  void write(std::string_view records);
  void commit();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace basesweep
