// Formats rows as text or bytes: the interface.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "lib/base/line_names.hpp"
#include "lib/base/record_info.hpp"
#include "lib/rows/placed_hit.hpp"
#include "lib/rows/row_text.hpp"
#include "lib/rows/rows.hpp"

namespace basesweep {

class PackedBatch;  // lib/search/packed_batch.hpp

// The message for hits on FASTQ that are to be written in a format whose header lists the records.
inline constexpr std::string_view kNeedsFasta =
    "SAM and BAM list every record in their header, so they are only for hits on FASTA; this is FASTQ: choose "
    "--format tsv or bed";

// Takes the output of Formatter::append(), in the order of rows, and writes that of the file. Not thread-safe.
class Gatherer {
 public:
  virtual ~Gatherer() = default;
  // `text`: of the next rows that are written. Throws what the writing throws.
  virtual void add(std::string_view text) = 0;
  // To be called once, after the last row.
  virtual void finish() = 0;
};

// One output format. Thread-safe once made.
class Formatter {
 public:
  using Write = std::function<void(std::string_view)>;

  virtual ~Formatter() = default;

  // Whether header() lists the records, so that all must be known before the first row is written.
  virtual bool needs_records() const { return false; }
  // Whether header() lists the records when they are known beforehand.
  virtual bool lists_records() const { return needs_records(); }
  // The bytes before the first row. `records`: all records with bases.
  virtual std::string header(std::span<const RecordInfo> records) const = 0;
  // Whether a hit over the origin of a circular record is written as two, [start, length) and [0, end - length).
  virtual bool splits_at_origin() const { return false; }
  // The rule for names of records, which append() writes as they are unless it escapes them.
  virtual NameRule names() const { return NameRule::any; }
  // The parts of a row that append() uses besides its own fields, see need.
  virtual unsigned needs() const = 0;
  bool needs_letters() const { return (needs() & need::letters) != 0; }
  // The bases on both sides of a hit that append() uses: PlacedHit::left and right.
  virtual std::uint32_t flank() const { return 0; }
  virtual void append(const Row& row, RowText& text) const = 0;
  // Appends rows one after another.
  virtual void append_rows(RowSpan rows, RowText& text) const;
  // Appends the hits of a batch, as format_hits() gets them.
  virtual void append_hits(const PackedBatch& batch, std::span<const Hit> hits, const BatchStandings* standings,
                           RowText& text) const;
  // To be called once for each text that rows were appended to, after the last of them.
  virtual void finish(RowText& text) const;
  // Whether a text is a block that can only be written as a whole.
  virtual bool makes_blocks() const { return false; }
  // Makes the stage that gathers what append() made before `write` writes it to the output; null: none is needed.
  // `directory`: of temporary files.
  virtual std::unique_ptr<Gatherer> gatherer(const std::string& directory, Write write) const;
};

// Formats the hits of a batch, which must be ordered by position. `standings`: as for for_each_hit().
RowText format_hits(const Formatter& formatter, const PackedBatch& batch, std::span<const Hit> hits,
                    const BatchStandings* standings = nullptr);

}  // namespace basesweep
