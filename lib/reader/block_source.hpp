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

// The text of files, and what is known of it before it is read.
class FileSource : public BlockSource {
 public:
  // The first block, which next() will return too, or a block whose text it has. Null if there is none or if next()
  // will throw. To be called before the first call of next(); reads ahead.
  virtual const RawBlock* first_block() = 0;
  // The format of the first file that is not empty; nothing when all are empty. Reads a few bytes ahead. Throws like
  // next().
  virtual std::optional<Format> format() = 0;
  // Opens the first input, so that sources() says what it is if it is SAM, BAM or CRAM. Throws like next().
  virtual void open_first() = 0;
  // Bytes of all files as they are stored, when all are regular and none holds alignments.
  virtual std::optional<std::int64_t> stored_bytes() const = 0;
  // How many of these the blocks so far took. May be called by any thread.
  virtual std::int64_t stored_bytes_read() const = 0;
  // A rough number of bases, when all files are regular: one for each byte, or four for each byte of a .2bit or
  // compressed file.
  virtual std::optional<std::int64_t> expected_bases() const = 0;
};

}  // namespace basesweep
