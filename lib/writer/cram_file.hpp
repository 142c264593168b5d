// CRAM output that appears only when it is complete.
#pragma once

#include <memory>
#include <string>
#include <string_view>

namespace basesweep {

class OutputFile;

// Takes BAM records and writes CRAM 3.0 through OutputFile. Never fetches a reference from the network.
class CramFile {
 public:
  // `reference`: path of the FASTA file that the records are aligned to, plain or BGZF. Its index is made in a
  // temporary folder, which is removed with this object; nothing is written beside the reference. Throws UsageError
  // when the reference is stdin, a pipe, plain gzip or the like, DataError when it cannot be indexed, and IoError.
  CramFile(const std::string& path, int threads, const std::string& reference);
  ~CramFile();
  CramFile(const CramFile&) = delete;
  CramFile& operator=(const CramFile&) = delete;

  // Comes first. `text`: that of SAM. Throws DataError when the reference has other records than the header, and
  // IoError.
  void write_header(const std::string& text);
  // `records`: whole BAM records, each with its size in front. Throws IoError.
  void write(std::string_view records);
  // Completes the file. Nothing can be written after it. Returns the file, which has all content. Throws IoError.
  OutputFile& finish();
  // finish(), unless it was called, and gives the file its name. Throws IoError.
  void commit();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace basesweep
