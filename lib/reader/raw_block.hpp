// A stretch of input text that can be packed without looking at its neighbours.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace basesweep {

enum class Format { fasta, fastq, twobit };

// The quality of all bases of a read without qualities, where FASTQ is written of it.
inline constexpr char kUnknownQuality = 'B';
// The same in the text of alignments that are read with all tags: it is no letter of FASTQ.
inline constexpr char kNoQualityLetter = '\x7f';

// Where the parts of a record lie in a block: byte ranges [begin, end) of its text.
struct RecordText {
  std::uint32_t title_begin;                   // of the '@' or '>'
  std::uint32_t name_begin, name_end;          // see name_in_title()
  std::uint32_t sequence_begin, sequence_end;  // may hold line breaks
  std::uint32_t quality_begin, quality_end;    // may hold line breaks; FASTA: empty, at the end of the sequence
};

class InputFile;
struct TwoBitRecord;

// Bases [begin, end) of a record of a .2bit file; `begin` is a multiple of 4.
struct TwoBitStretch {
  std::shared_ptr<const TwoBitRecord> record;
  std::uint32_t begin;
  std::uint32_t end;
  bool starts;  // the record begins here; otherwise these bases follow others of it
};

struct RawBlock;

// Records [begin, end) of a block's list.
struct RecordSlice {
  std::shared_ptr<const RawBlock> block;
  std::size_t begin;
  std::size_t end;
};

// The record and base that a block begins with.
struct Resume {
  std::int64_t reference;  // number of the record among those with bases, over all files, from 0
  std::string name;
  std::int64_t offset;  // of the block's first base in the record, 0-based
};

// A block is of one of four kinds. The first three have text of one file:
// - Whole records, for FASTQ and, with ReaderOptions::whole_records, for FASTA. It has at least one record, lists them
//   in `records`, and holds its text.
// - A stretch of FASTA. It begins at a line start or inside a line of sequence, and never begins or ends inside a
//   title. `records` is empty.
// - Stretches of records of a .2bit file: `stretches` lists them, `file` holds their codes, and there is no text().
// - Pairs: records of blocks of whole records, which hold their text. `first` lists the first mates, and `second` the
//   second mates; or `first` lists both in turn, and `second` is empty. `size` counts the bytes of their text.
struct RawBlock {
  static constexpr std::int64_t kNoFile = -1;

  std::uint64_t number = 0;  // position in the order of all blocks of the input, from 0
  std::uint32_t source = 0;  // index of the file
  Format format = Format::fasta;
  bool alignments = false;       // FASTQ text made of SAM, BAM or CRAM
  std::int64_t file_offset = 0;  // of the first byte, in the file's decompressed text; kNoFile: the text is in memory
  bool inside_line = false;      // the first byte continues a line of sequence; never with whole records
  std::optional<Resume> resume;  // set when the text does not continue the block before but begins here
  std::vector<RecordText> records;
  std::vector<TwoBitStretch> stretches;
  std::vector<RecordSlice> first;
  std::vector<RecordSlice> second;

  // The text is held in `shared`, which points to its first byte, or in `bytes`. When `file` is set, it lies in that
  // plain file and is read by whoever packs it.
  std::shared_ptr<const char> shared;  // other blocks may be in the same memory
  std::vector<char> bytes;
  std::shared_ptr<const InputFile> file;
  std::size_t size = 0;  // bytes of text, or of codes

  bool has_pairs() const { return !first.empty(); }
  // The first byte of the text, if it is held.
  const char* held() const { return shared != nullptr ? shared.get() : bytes.data(); }
  // The text; empty of pairs; read into `scratch` when it lies in a file. Lives as long as this block and `scratch`.
  // Throws IoError.
  std::span<const char> text(std::vector<char>& scratch) const;
};

}  // namespace basesweep
