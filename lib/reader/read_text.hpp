// The FASTQ text of reads in alignment files. Private to the reader.
#pragma once

#include <span>
#include <string>

struct bam1_t;  // HTSlib's record

namespace basesweep {

// Appends the read as `samtools fastq` prints it: in its original orientation, with /1 or /2 after the name of a first
// or a second mate, and with kUnknownQuality where it has no qualities. The tags that it has follow the name, each
// after a tab. Throws std::runtime_error with the fault, as part of a message, when the text would not be FASTQ:
// letters that a name or a tag may not have, a quality over 93.
void append_read(const bam1_t& record, std::span<const std::string> tags, std::string& text);

// The same with all tags of the record, in its order, except those that speak of its alignment if it has one; and with
// kNoQualityLetter where it has no qualities.
void append_read_with_tags(const bam1_t& record, std::string& text);

}  // namespace basesweep
