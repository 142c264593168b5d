// The interface through which the pipeline gets its text.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "lib/reader/input_file.hpp"
#include "lib/reader/raw_block.hpp"

namespace basesweep {

// The format and compression of an input file, for the report.
struct SourceInfo {
  std::string path;  // "<stdin>" for "-"
  Compression compression = Compression::none;
  std::optional<Format> format;  // nothing when the file is empty or has not been reached; FASTQ for alignments
  // Set for alignments that are read as FASTQ; of a stream, when it has been reached.
  std::optional<AlignmentInfo> alignments{};
  std::int64_t bytes = -1;  // that a regular file has, compressed as it is
};

// The file's format as messages name it: "FASTA", "FASTQ", ".2bit", "SAM", "BAM", "CRAM"; "" if it is not known.
const char* format_name(const SourceInfo& source);

// Hands out the text of the input as blocks, in order. Not thread-safe.
class BlockSource {
 public:
  virtual ~BlockSource() = default;
  // The next block; nothing at the end of the input.
  virtual std::optional<RawBlock> next() = 0;
  // The paths as the user gave them.
  virtual const std::vector<std::string>& paths() const = 0;
  // One for each path. Valid as long as this object; format is filled in as files are reached.
  virtual const std::vector<SourceInfo>& sources() const = 0;
};

}  // namespace basesweep
