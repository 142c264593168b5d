// The reads that chunks write: on their way into a part, and from parts to the files of the run.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "lib/parts/part_set.hpp"
#include "lib/pipeline/read_pipeline.hpp"
#include "lib/rows/compressed_block.hpp"

namespace basesweep {

// A row of a part of reads: a piece of the text of one file. The pieces of a file in the order of the rows, chunk after
// chunk, are the file without its header.
struct ReadPiece {
  static constexpr std::uint32_t kTable = 0xffffffff;

  std::uint32_t file = 0;  // number of the destination (WrittenRead::file), or kTable: the table of reads
  std::uint32_t mate = 0;  // 1: the file of second mates
  std::string_view text{};
};

template <class Codec>
void code(Codec& codec, Coded<Codec, ReadPiece>& piece) {
  codec.number(piece.file);
  codec.number(piece.mate);
  codec.text(piece.text);
}

// Makes blocks of pieces.
class ReadPieces {
 public:
  void add(std::uint32_t file, std::uint32_t mate, std::string_view text);
  std::vector<CompressedBlock> take();

 private:
  void close();

  RowBlockBuilder block_;
  std::vector<CompressedBlock> blocks_;
};

// The files that reads of a run go to.
struct ReadFiles {
  std::vector<bool> mates_apart;  // for each destination, whether second mates have a file of their own
  bool table = false;             // there is a table of reads

  bool operator==(const ReadFiles&) const = default;
};

// The targets of a chunk, whose texts all go into `part`, which must outlive them.
ReadTargets part_targets(const ReadFiles& files, PartWriter& part);

// Writes the texts of all parts to `targets`. Those of destinations after the last one of `targets` are left out, and
// the table if `targets` has none. Throws DataError for a piece that is of none of `files`.
void write_read_parts(PartSet& parts, const ReadFiles& files, const ReadTargets& targets, int threads);

}  // namespace basesweep
