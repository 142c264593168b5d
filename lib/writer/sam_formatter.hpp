// Formats rows as SAM or BAM.
#pragma once

#include <memory>
#include <span>
#include <string>

#include "lib/base/circular_records.hpp"
#include "lib/base/record_info.hpp"
#include "lib/writer/formatter.hpp"
#include "lib/writer/read_group.hpp"
#include "lib/writer/sam_query.hpp"
#include "lib/writer/sam_record.hpp"

namespace basesweep {

class PatternSet;  // lib/search/pattern_set.hpp

struct SamOptions {
  bool binary = false;         // BAM, not yet compressed
  bool program = true;         // a @PG line
  std::string command_line{};  // CL of the @PG line: the options that affect the result, in canonical form
  std::string read_group{};    // an @RG line, see parse_read_group(); empty: none
  std::string comment{};       // a @CO line; empty: none
  CircularRecords circular{};  // TP:circular in the header
  std::string path{};          // of the input, for messages; empty: not known, or several
};

// The bytes of a file sorted by coordinate before its first alignment. Throws DataError for a record whose name SAM
// does not allow or is used twice, or that has 2^31 bases or more.
std::string sam_file_header(const SamOptions& options, const ReadGroup& read_group,
                            std::span<const RecordInfo> records);

// How rows become alignments. Thread-safe once made.
class SamRows {
 public:
  virtual ~SamRows() = default;
  SamRows(const SamRows&) = delete;
  SamRows& operator=(const SamRows&) = delete;

  // How many alignments a row has. The second of two has its place at or after that of the first, where it waits for
  // its turn among the rows that follow.
  virtual int alignments() const { return 1; }
  // Sets all fields of a record but the read group. `binary`: for BAM. The record points into `scratch` and this
  // object.
  virtual void describe(const Row& row, int alignment, bool binary, SamScratch& scratch, SamRecord& record) const = 0;

 protected:
  SamRows() = default;
};

// SAM 1.6, sorted by coordinate. header() throws as sam_file_header(). Throws UsageError for a malformed read group.
std::unique_ptr<Formatter> make_sam_formatter(std::shared_ptr<const SamRows> rows, const SamOptions& options);

// Hits: QNAME is the pattern's name, SEQ its sequence (reverse-complemented for strand -, with FLAG 16), QUAL *, MAPQ
// 255. The first hit of a pattern in the output is primary, the others are secondary (FLAG 256). NM and MD are as
// `samtools calmd` computes them, so an IUPAC code in the pattern counts as a mismatch. XE:i has the edits as basesweep
// counts them. A hit over the origin of a circular record has its POS in the record, and its CIGAR goes past the
// record's end. Bases that hang over the record's ends are soft-clipped; NM, MD and XE are of those inside. With
// --report best-per-record, XB:i and XN:i are PlacedHit::standing. Throws UsageError for a pattern whose name SAM does
// not allow. `patterns` must outlive this.
std::shared_ptr<const SamRows> make_hit_sam(const PatternSet& patterns, bool distinguish);

}  // namespace basesweep
