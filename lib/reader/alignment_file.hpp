// Opens files of alignments, for open_input(). Private to the reader.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "lib/reader/alignment_records.hpp"
#include "lib/reader/alignments.hpp"
#include "lib/reader/compressed_file.hpp"

namespace basesweep {

// Whether a file that is not compressed begins like SAM with a header, like BAM or like CRAM. `head`: its first
// kMagicBytes bytes.
bool begins_like_alignments(std::span<const char> head);

// The format of a stream; nothing if it is not SAM, BAM or CRAM. The stream keeps its place.
std::optional<AlignmentFormat> find_alignment_format(hFILE* stream);

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
