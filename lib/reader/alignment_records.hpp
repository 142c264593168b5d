// Files of alignments that are read as the records of BAM.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "lib/base/record_info.hpp"
#include "lib/reader/input_file.hpp"

namespace basesweep {

struct AlignmentHeader {
  std::string text;
  std::vector<RecordInfo> references;
};

// read() gives all records as they are, each with its size first.
class AlignmentRecords : public InputFile {
 public:
  // Throws like read().
  virtual const AlignmentHeader& header() = 0;
  virtual AlignmentFormat format() const = 0;

 protected:
  using InputFile::InputFile;
};

// Whether the file is SAM, BAM or CRAM; nothing: it is neither. A stream keeps its place and is left to who opens the
// path next. Throws like open_input().
std::optional<AlignmentFormat> alignment_format_of(const std::string& path);

// Opens a file for which alignment_format_of() has a format. `options`: of which only the reference counts. Throws like
// open_input(), and DataError if the file has another format now.
std::shared_ptr<AlignmentRecords> open_alignment_records(const std::string& path, int threads,
                                                         const AlignmentOptions& options);

}  // namespace basesweep
