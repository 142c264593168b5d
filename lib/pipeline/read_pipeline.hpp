// The flow graph of the commands that write reads: read source -> list, process and format -> writer.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "lib/parts/part_writer.hpp"
#include "lib/pipeline/progress.hpp"
#include "lib/pipeline/text_run.hpp"
#include "lib/reads/read_processor.hpp"
#include "lib/writer/byte_sink.hpp"
#include "lib/writer/read_writer.hpp"

namespace basesweep {

struct ReadRunOptions {
  bool paired = false;  // consecutive reads are mates
  int threads = 1;      // workers; the calling thread, which reads, is one more
  OutputFormat format = OutputFormat::fastq;
  bool title_tags = false;             // see ReadWriter
  ProgressCounts* progress = nullptr;  // written while the pipeline runs; may be null
};

// Where reads go.
struct ReadTargets {
  // For each destination, by its number (WrittenRead::file), the sinks of single reads and first mates and of second
  // mates. The same sink twice: mates are written by turns. Null: these reads are not written.
  std::vector<std::array<ByteSink*, 2>> files;
  ByteSink* rows = nullptr;  // of the table of reads; null: there is none
  // Of a chunk: takes all texts as blocks of ReadPiece (lib/pipeline/read_parts.hpp); the sinks above get nothing.
  PartWriter* part = nullptr;
};

struct ReadSummary : TextSummary {
  std::uint64_t reads = 0;  // of the input, mates counted one by one
  std::uint64_t bases = 0;
  bool left_out_tags = false;  // see ReadWriter
};

// Sends all reads through the processor and writes them in the order of the input. Throws what any stage threw; of
// errors in the input, the first in input order, after all that comes before it was written. A list of reads holds a
// token from reading until it is written, so memory is bounded (lib/pipeline/stream.hpp).
ReadSummary run_reads(const ReadRunOptions& options, RawReadSource& source, ReadProcessor& processor,
                      const ReadTargets& targets);

}  // namespace basesweep
