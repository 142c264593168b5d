// Opens files of alignments, for open_input(). Private to the reader.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "lib/reader/alignment_records.hpp"
#include "lib/reader/alignments.hpp"
#include "lib/reader/compressed_file.hpp"

namespace basesweep {

// A file that reads as the FASTQ text of the reads that it holds; secondary and supplementary alignments are left out.
// HTSlib decodes it, with `threads` helpers when that is more than one. `compression`: none or bgzf, as reports say it.
// `seekable`: the stream is a regular file, which CRAM must be, because it is read twice.
std::shared_ptr<InputFile> make_alignment_file(const std::string& path, Stream stream, bool seekable,
                                               Compression compression, AlignmentFormat format,
                                               const AlignmentOptions& options, int threads);

// The same, but it reads as records.
std::shared_ptr<AlignmentRecords> make_alignment_records(const std::string& path, Stream stream, bool seekable,
                                                         Compression compression, AlignmentFormat format,
                                                         const AlignmentOptions& options, int threads);

}  // namespace basesweep
