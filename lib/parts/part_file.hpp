// Reads the output of one chunk, to merge it.
#pragma once

#include <string>
#include <vector>

#include "lib/parts/byte_stream.hpp"
#include "lib/parts/part.hpp"

namespace basesweep {

enum class PartKind {
  bed,
  tsv,
  fimo,
  gff3,
  fasta,
  count,
  table,  // of matrices, see merge_tables.hpp
  sam,
  bam,
  json
};

// A part before its first hit.
struct PartHead {
  std::string path;
  PartKind kind;
  PartLabel label;
  std::string header;    // the part's header without its label: the merged output begins with it
  std::string digest{};  // MD5 of `header`
  std::string json{};    // of a report: the whole file
};

// Reads the head of a part, and leaves the stream behind it. The kind is recognised by content. Throws IoError, and
// DataError when the file is not a part.
PartHead read_head(const std::string& path, ByteStream& stream);

// Checks that the parts are of one run and that none is missing; sorts them by chunk. Throws DataError that names the
// parts that are missing, given twice, or of another run.
void check_parts(std::vector<PartHead>& parts);

}  // namespace basesweep
