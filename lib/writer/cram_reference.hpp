// The reference of a CRAM file, prepared for HTSlib.
#pragma once

#include <string>

#include "lib/writer/temporaries.hpp"

struct sam_hdr_t;

namespace basesweep {

// HTSlib wants an indexed FASTA file. This makes a link to the file and its index in a temporary folder, which is
// removed with this object, and writes nothing beside the file itself.
class CramReference {
 public:
  // Throws UsageError when the file is stdin, a pipe, plain gzip or the like, DataError when it cannot be indexed, and
  // IoError.
  explicit CramReference(const std::string& path);

  // Throws DataError unless header and index have the same records. HTSlib would look for a record that the index lacks
  // in REF_PATH, and so on the network.
  void check(const sam_hdr_t& header) const;

  const std::string& path() const { return path_; }  // as given
  std::string indexed_path() const;                  // the link in the temporary folder, with the index beside it

 private:
  void keep_records_with_bases() const;

  std::string path_;
  std::string target_;  // links followed
  TemporaryFolder folder_;
};

}  // namespace basesweep
