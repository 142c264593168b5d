// Cuts the text of one file into blocks. Private to the reader.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

#include "lib/base/error.hpp"
#include "lib/reader/fasta_windows.hpp"
#include "lib/reader/pending_text.hpp"
#include "lib/reader/raw_block.hpp"

namespace basesweep {

struct CutterOptions {
  std::size_t block_bytes;
  std::size_t max_title_bytes;
  std::size_t max_record_bytes;  // for cutters that cut at records
};

class Cutter {
 public:
  virtual ~Cutter() = default;
  // The next block, with number and source not set; nothing at the end of the text. Throws DataError and IoError, but
  // only after the text before the fault was handed out.
  virtual std::optional<RawBlock> next() = 0;
};

// `offset`: where the title line begins in the decompressed text.
DataError title_too_long(const InputFile& file, std::int64_t offset, std::size_t max_title_bytes);

// For seekable files. It reads only what it needs to find the cuts; the packers read the text.
std::unique_ptr<Cutter> make_fasta_file_cutter(std::shared_ptr<InputFile> file, const TextRange& range,
                                               CutterOptions options);
// `inside_line`: the first byte continues a sequence line.
std::unique_ptr<Cutter> make_fasta_stream_cutter(PendingText text, bool inside_line, CutterOptions options);

// Hands out only the windows of a plain or BGZF file. Throws DataError when a record is not where the index says.
std::unique_ptr<Cutter> make_window_cutter(std::shared_ptr<InputFile> file, FastaWindows windows,
                                           CutterOptions options);

// For a seekable .2bit file. `windows`: hands out only these; they are in bytes of TwoBitFile::layout(). Throws
// DataError and IoError, the constructor too.
std::unique_ptr<Cutter> make_twobit_cutter(std::shared_ptr<InputFile> file, std::optional<FastaWindows> windows,
                                           CutterOptions options);

// The two below cut at records and list them. `text` begins with the first title; `line` is its line number, from 1.
std::unique_ptr<Cutter> make_fasta_record_cutter(PendingText text, CutterOptions options);
std::unique_ptr<Cutter> make_fastq_cutter(PendingText text, std::int64_t line, CutterOptions options);

}  // namespace basesweep
