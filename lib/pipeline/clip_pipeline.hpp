// The flow graph of `trim` for alignments: file -> clip and format -> writer.
#pragma once

#include "lib/pipeline/progress.hpp"
#include "lib/reader/input_file.hpp"
#include "lib/trim/primer_clipper.hpp"
#include "lib/writer/alignment_lines.hpp"
#include "lib/writer/byte_sink.hpp"

namespace basesweep {

struct ClipRunOptions {
  int threads = 1;                        // workers; the calling thread, which reads, is one more
  const AlignmentLines* lines = nullptr;  // writes SAM; null: BAM is written
  ProgressCounts* progress = nullptr;     // written while the pipeline runs; may be null
};

// Sends the records of a file, opened with AlignmentOptions::records, through the clipper and writes them in their
// order. Throws what any stage threw; of errors in the input, the first in input order, after all that comes before it
// was written.
ClipCounts clip_primers(const ClipRunOptions& options, InputFile& file, const PrimerClipper& clipper, ByteSink& sink);

}  // namespace basesweep
