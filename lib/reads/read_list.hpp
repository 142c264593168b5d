// A batch of reads, for the commands that write reads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <string>
#include <string_view>
#include <vector>

#include "lib/base/error.hpp"
#include "lib/reads/raw_reads.hpp"
#include "lib/reads/record_origin.hpp"

namespace basesweep {

// A read of the input. The views point into its list.
struct InputRead {
  std::string_view title;  // its title line without '@' or '>' and without line end
  std::string_view name;   // the first word of the title
  std::string_view pair;   // of a mate: the part of the name that both mates begin with, see pair_name(); else the name
  std::string_view bases;  // as they are in the input, in one line
  std::string_view quality;  // a character for each base, '!' for 0; empty: the input has no qualities
  const RawBlock* block;     // that holds its text
};

struct ReadList {
  std::uint64_t number = 0;  // place among the lists of the input, from 0
  bool paired = false;       // reads 2 i and 2 i + 1 are mates
  std::vector<InputRead> reads;
  std::uint64_t bases = 0;  // of all reads
  // The fault in the input (DataError) that comes after these reads. No other list follows.
  std::exception_ptr error;

  // The error about a read, naming its file and the read.
  DataError fault(const InputRead& read, std::string_view what) const;

  // The text that the reads point to.
  RawReads raw;
  JoinedLines joined;
};

// Makes a list of records. A fault in a record ends the list before that record, or before its pair, and goes to
// ReadList::error. It is a DataError that names file, record and position: a byte that is not sequence, a quality
// outside of ! to ~, or mates whose names differ. Thread-safe.
ReadList list_reads(RawReads raw, bool paired);

}  // namespace basesweep
