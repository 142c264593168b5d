// Opens input files of all kinds.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "lib/reader/alignments.hpp"
#include "lib/reader/input_file.hpp"
#include "lib/reader/raw_block.hpp"

namespace basesweep {

// `path`: "-" is stdin; it may be a URL. `threads`: helpers that inflate gzip and BGZF or decode alignments.
// `alignments`: if it is not null, files of SAM, BAM and CRAM read as the FASTQ text of their reads. Throws IoError
// when the file is missing, a directory or unreadable.
std::shared_ptr<InputFile> open_input(const std::string& path, int threads,
                                      const AlignmentOptions* alignments = nullptr);
// The same for a file of which only parts are wanted: a plain one is seekable() also behind a URL. Throws IoError when
// its server sends no ranges.
std::shared_ptr<InputFile> open_ranges(const std::string& path, int threads);
// A file whose content `text` holds, and seekable. `path` and `compression`: of the file that it was read from.
std::shared_ptr<InputFile> input_in_memory(std::string path, RawBlock text, Compression compression);

// How it is decompressed, for messages: "zstd, decompressed by libzstd in one thread". `threads`: those that
// open_input() may use. `bytes`: of the file; -1: not known.
std::string how_decompressed(Compression compression, int threads, std::int64_t bytes = -1);
}  // namespace basesweep
