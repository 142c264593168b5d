// Which parts of a FASTA file hold what is asked for, told by its index.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "lib/reader/fai.hpp"
#include "lib/reader/raw_block.hpp"
#include "lib/regions/region_set.hpp"

namespace basesweep {

// Bytes of a file's decompressed text.
struct TextRange {
  std::int64_t begin;
  std::int64_t end;
  bool inside_line = false;  // the first byte continues a sequence line
};

// Bytes of decompressed text, from a base of a record on. What lies between parts that are asked for, and
// near each other, belongs to it.
struct FastaWindow {
  TextRange range;
  Resume resume;
  // The line that names the record is the last of these bytes; before it there may be blank lines.
  std::int64_t title_begin;
  std::int64_t title_end;
};

struct FastaWindows {
  std::vector<FastaWindow> windows;
  std::int64_t end = 0;  // byte behind the last base that is indexed
  std::string gzi;       // of a BGZF file: its index
};

// Windows that hold the regions, and so many bases beside them, of a file's records. The first of these is record
// `first_reference` of those that have bases, over all files. Throws DataError where the index cannot be right, naming
// `path`.
FastaWindows windows_of(const std::string& path, const std::vector<FaiRecord>& records, std::int64_t first_reference,
                        const RegionSet& regions, std::int64_t left, std::int64_t right);

}  // namespace basesweep
