// The parts of an indexed FASTA file that must be read for the requested regions.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "lib/base/circular_records.hpp"
#include "lib/reader/fai.hpp"
#include "lib/reader/raw_block.hpp"
#include "lib/search/region_set.hpp"

namespace basesweep {

// Bytes [begin, end) of a file's decompressed text.
struct TextRange {
  std::int64_t begin;
  std::int64_t end;
  bool inside_line = false;  // the first byte continues a sequence line
};

// A stretch of text that is read in one go. It begins with a base of a record. Requested parts that lie close together
// share a window, which then holds the text between them too.
struct FastaWindow {
  TextRange range;
  Resume resume;  // the record and base that the window begins with
};

// The place where the index expects the title of a record: the last line of bytes [begin, end). Blank lines, and titles
// of records without bases, may come before it.
struct FastaTitle {
  std::int64_t begin;
  std::int64_t end;
  std::string name;
};

struct FastaWindows {
  std::vector<FastaWindow> windows;  // in the order of the file, disjoint
  // The titles to check against the index. With a plan: those of the records that windows begin in; the chunks beside
  // this one check the others. With regions by name: all, since the index lacks the second record of a repeated name.
  std::vector<FastaTitle> titles;
  std::int64_t end = 0;  // offset behind the last indexed base
  std::string gzi;       // path of the .gzi index of a BGZF file
};

// The windows of one file that hold the regions, widened by `left` and `right` bases. `records`: of the file's index.
// `first_reference`: number of the first of them among the records with bases of all files, from 0. A circular record
// is read whole when a widened region goes over its origin. Throws DataError with `path` when the index cannot be
// right.
FastaWindows windows_of(const std::string& path, const std::vector<FaiRecord>& records, std::int64_t first_reference,
                        const RegionSet& regions, std::int64_t left, std::int64_t right,
                        const CircularRecords& circular = {});

}  // namespace basesweep
