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
};

// Where a record is named: in the last line of these bytes. Before it there may be blank lines, and records without
// bases.
struct FastaTitle {
  std::int64_t begin;
  std::int64_t end;
  std::string name;
};

struct FastaWindows {
  std::vector<FastaWindow> windows;
  // To be looked at: of a plan those of records that windows begin in, since windows of other chunks reach to the next
  // ones; of regions of names all, since the index may lack a record whose name is used twice.
  std::vector<FastaTitle> titles;
  std::int64_t end = 0;  // byte behind the last base that is indexed
  std::string gzi;       // of a BGZF file: its index
};

// Windows that hold the regions, and so many bases beside them, of a file's records. The first of these is record
// `first_reference` of those that have bases, over all files. Throws DataError where the index cannot be right, naming
// `path`.
FastaWindows windows_of(const std::string& path, const std::vector<FaiRecord>& records, std::int64_t first_reference,
                        const RegionSet& regions, std::int64_t left, std::int64_t right);

}  // namespace basesweep
