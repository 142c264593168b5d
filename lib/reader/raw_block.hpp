// A stretch of input text, cut so that it can be packed without knowing its neighbours.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace basesweep {

enum class Format { fasta, fastq };

// Where things of a record lie in a block's text.
struct RecordText {
  std::uint32_t name_begin, name_end;          // the first word of the title, without '@' or '>'
  std::uint32_t sequence_begin, sequence_end;  // may hold line breaks
  std::uint32_t quality_begin, quality_end;    // likewise; FASTA: empty, where the sequence ends
};

class InputFile;

// Where in a record a block's text begins.
struct Resume {
  std::int64_t reference;  // the record, among those that have bases
  std::string name;
  std::int64_t offset;  // of the block's first base
};

// Text of one file, one of two kinds. FASTQ, and FASTA where ReaderOptions::whole_records asks for it: whole records,
// at least one, listed in `records`; the text is held. Other FASTA: begins at a line start or inside a sequence line,
// never inside a title; a title never continues in the next block; `records` is empty.
struct RawBlock {
  static constexpr std::int64_t kNoFile = -1;

  std::uint64_t number = 0;  // place in the order of the whole input, from 0
  std::uint32_t source = 0;  // index of the file
  Format format = Format::fasta;
  std::int64_t file_offset = 0;  // of the first byte, in decompressed text; kNoFile: the text is of none
  bool inside_line = false;      // the first byte continues a sequence line; never of whole records
  std::optional<Resume> resume;  // the text does not go on where the block before ended, but here
  std::vector<RecordText> records;

  // The text: held here, or still to be read from a plain file by whoever packs it.
  std::vector<char> bytes;
  std::shared_ptr<const InputFile> file;
  std::size_t size = 0;

  // The text; read into `scratch` when it is not held here. Throws IoError.
  std::span<const char> text(std::vector<char>& scratch) const;
};

}  // namespace basesweep
