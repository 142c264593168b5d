// The reference as HTSlib's CRAM wants it.
#pragma once

#include <string>

#include "lib/writer/temporaries.hpp"

struct sam_hdr_t;

namespace basesweep {

// A FASTA file, plain or BGZF, with its index in a temporary folder that goes with this object. Nothing is written
// beside the file.
class CramReference {
 public:
  // Throws UsageError where the file is stdin, a pipe or plain gzip, DataError when it cannot be indexed, IoError.
  explicit CramReference(const std::string& path);

  // Throws DataError unless the header has the records of the index. Of what the index lacks HTSlib would look for in
  // REF_PATH, and so on the network.
  void check(const sam_hdr_t& header) const;

  const std::string& path() const { return path_; }  // as it was given
  std::string indexed_path() const;                  // the index stands beside it

 private:
  std::string path_;
  std::string target_;  // links followed
  TemporaryFolder folder_;
};

}  // namespace basesweep
