// Writes reads as FASTQ, FASTA or unaligned BAM.
#pragma once

#include <atomic>

#include "lib/base/text.hpp"
#include "lib/reads/read_processor.hpp"
#include "lib/rows/output_format.hpp"

namespace basesweep {

class ReadWriter {
 public:
  // `format`: fastq, fasta, sam or bam. `title_tags`: titles may have SAM tags after tabs, as `samtools fastq -T`
  // writes them. FASTQ keeps them, and SAM and BAM get them as tags. Titles of FASTQ with the tag MM are read so too.
  ReadWriter(OutputFormat format, bool title_tags) : format_(format), title_tags_(title_tags) {}

  // Appends the read. `mate`: 1 or 2 of a pair, as it is written, else 0. Of exchanged mates, /1 and /2 after the name
  // and 1: and 2: at the begin of an Illumina comment are exchanged too. Throws DataError for a name or a tag that SAM
  // does not allow, and for FASTQ without qualities.
  void append(const ReadList& list, const InputRead& read, const WrittenRead& written, int mate, Text& text) const;
  // Whether reads were written without tags that speak of all of their bases, see append_cut_tags().
  bool left_out_tags() const { return left_out_tags_; }

 private:
  struct Pieces;
  void append_lines(const ReadList& list, const InputRead& read, const Pieces& pieces, bool tags, Text& text) const;
  void append_record(const ReadList& list, const InputRead& read, const Pieces& pieces, int mate, Text& text) const;

  OutputFormat format_;
  bool title_tags_;
  mutable std::atomic<bool> left_out_tags_ = false;
};

}  // namespace basesweep
