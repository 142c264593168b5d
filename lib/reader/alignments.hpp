// Files of alignments (SAM, BAM, CRAM), which are read as the FASTQ text of their reads.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace basesweep {

enum class AlignmentFormat : std::uint8_t { sam, bam, cram };

// The name of the format in messages: "SAM", "BAM", "CRAM".
const char* alignment_format_name(AlignmentFormat format);
// How it is read, for messages: "BAM, read by HTSlib 1.16 in 4 threads".
std::string how_read(AlignmentFormat format, int threads);

struct AlignmentOptions {
  // A FASTA file with its index in the same folder, for CRAM; empty: only the reference that the CRAM file holds, or
  // that the user's REF_PATH names.
  std::string cram_reference{};
  // Tags that the titles of reads get, in this order, as `samtools fastq -T` writes them: "RG", "BC".
  std::vector<std::string> tags{};
  // Reads are written again, so titles get all tags that a record has, in its order (`tags` is empty then), and the
  // header's lines are kept.
  bool all_tags = false;
  // An aligned read is an error: its alignment, and the tags that speak of it, would be lost.
  bool unaligned_only = false;
  // Mates (FLAG 1) must be next to each other, and the first mate is handed out first. The file's first read decides
  // whether all of its reads are pairs or none.
  bool mates = false;
  // Reads without bases are handed out, as those of FASTQ are. Otherwise they are passed over, as `samtools fastq`
  // does, unless they are mates of others.
  bool keep_empty = false;
  // Those of files of single reads are handed out too, so that reads have the same numbers for all commands.
  bool count_empty = false;
};

// The known facts about a file of alignments.
struct AlignmentInfo {
  AlignmentFormat format;
  std::optional<bool> paired{};       // whether the first read is one of a pair, when it was handed out
  std::vector<std::string> header{};  // with AlignmentOptions::all_tags, the lines of the header besides @HD and @SQ
  std::vector<std::string> read_groups{};  // the @RG lines of the header, when tags have RG
};

}  // namespace basesweep
