// The .2bit format of UCSC: records as 2-bit codes, with lists of the stretches that are N or in lower case.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "lib/reader/fai.hpp"
#include "lib/reader/input_file.hpp"
#include "lib/search/packed_view.hpp"

namespace basesweep {

// A record as packers need it: four bases a byte, the first in the highest bits, T 0, C 1, A 2, G 3.
struct TwoBitRecord {
  std::string name;  // first word of its name
  std::uint32_t length = 0;
  std::int64_t codes = 0;         // offset in the file
  std::vector<Interval> unknown;  // bases that are N, whatever their codes; sorted, disjoint, not touching
  std::vector<Interval> masked;   // bases in lower case, sorted the same way
};

class TwoBitNumbers;
class TwoBitWindow;

// A .2bit file of version 0 or 1, in either byte order. Reads its index at once and its records when asked for them.
// Errors are DataErrors that name file, record and byte. Not thread-safe.
class TwoBitFile {
 public:
  // `file` must be seekable(). Throws DataError, IoError.
  explicit TwoBitFile(std::shared_ptr<const InputFile> file);
  ~TwoBitFile();

  std::size_t records() const { return entries_.size(); }
  // These read the file. Throw DataError, IoError.
  std::uint32_t length(std::size_t record) const;
  std::shared_ptr<const TwoBitRecord> record(std::size_t record) const;
  // All records as an index of FASTA text would list them whose titles took one byte each, and lines no line ends.
  // Windows made with it (fasta_windows.hpp) are in bytes of this text.
  std::vector<FaiRecord> layout() const;

 private:
  struct IndexEntry {
    std::string name;
    std::int64_t offset;
    std::int64_t end;  // where the next record begins, or the file ends
  };

  void read_index();
  void check_offsets(std::int64_t end_of_index) const;
  void find_ends();
  std::vector<Interval> intervals(TwoBitNumbers& numbers, std::uint32_t length, const char* kind) const;

  std::shared_ptr<const InputFile> file_;
  std::unique_ptr<TwoBitWindow> window_;
  bool swapped_ = false;  // numbers are in the other byte order
  std::vector<IndexEntry> entries_;
};

// Whether text begins as a .2bit file does.
bool is_twobit(std::string_view start);
// Whether this is a plain file that begins so. Throws IoError.
bool is_twobit(const InputFile& file);

}  // namespace basesweep
