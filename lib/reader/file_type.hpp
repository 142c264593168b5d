// Names files that are neither FASTA nor FASTQ by their first bytes, and says what to do with them.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "lib/reader/input_file.hpp"

namespace basesweep {

// The first bytes of a file's decompressed text.
struct FileStart {
  std::string_view bytes;  // at least 262 of them, if the text has that many: a tar archive is known by those
  Compression compression = Compression::none;
  std::string path;  // as messages name it
};

// Says what the file is and what helps: "reads.bam: a BAM file; try 'samtools fastq reads.bam | basesweep ...'".
// Nothing for FASTA, FASTQ and types that are not known.
std::optional<std::string> explain_text_type(const FileStart& start);
// The same for text with a byte order mark: what cannot be read because of the mark.
std::optional<std::string> explain_marked_type(const FileStart& start);
// The same for a file of patterns, which may be EMBL or GenBank too.
std::optional<std::string> explain_pattern_type(const FileStart& start);

}  // namespace basesweep
