// Cuts the text of one file into blocks. Private to the reader.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

#include "lib/error.hpp"
#include "lib/reader/fasta_windows.hpp"
#include "lib/reader/pending_text.hpp"
#include "lib/reader/raw_block.hpp"

namespace basesweep {

struct CutterOptions {
  std::size_t block_bytes;
  std::size_t max_title_bytes;
  std::size_t max_record_bytes;  // of cutters that cut at records
};

class Cutter {
 public:
  virtual ~Cutter() = default;
  // The next block, without number and source; nothing at the end of the text. Throws DataError and IoError, after
  // the blocks of what lies before the fault.
  virtual std::optional<RawBlock> next() = 0;
};

// `offset`: of the title.
DataError title_too_long(const InputFile& file, std::int64_t offset, std::size_t max_title_bytes);

// For seekable files: finds the cuts and leaves the reading to the packers.
std::unique_ptr<Cutter> make_fasta_file_cutter(std::shared_ptr<InputFile> file, const TextRange& range,
                                               CutterOptions options);
// `inside_line`: the first byte continues a sequence line.
std::unique_ptr<Cutter> make_fasta_stream_cutter(PendingText text, bool inside_line, CutterOptions options);

// Cuts the windows of a plain or BGZF file. Throws DataError where a record is not where the index has it.
std::unique_ptr<Cutter> make_window_cutter(std::shared_ptr<InputFile> file, FastaWindows windows,
                                           CutterOptions options);

// From here on `text` begins with the first header, which is in line `line`.

// Cuts at records and lists them.
std::unique_ptr<Cutter> make_fasta_record_cutter(PendingText text, CutterOptions options);
std::unique_ptr<Cutter> make_fastq_cutter(PendingText text, std::int64_t line, CutterOptions options);

}  // namespace basesweep
