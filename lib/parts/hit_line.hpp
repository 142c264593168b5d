// Parses hits that are already written, as far as `merge` needs their fields.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "lib/align/standings.hpp"
#include "lib/parts/part_file.hpp"
#include "lib/rows/hit_rows.hpp"

namespace basesweep {

// A written hit. Its texts point into the line or record that was parsed.
struct PrintedHit {
  std::string_view record;  // its name; BAM: the 4 bytes of its index
  std::int64_t start;       // 0-based
  std::int64_t end;         // exclusive
  std::string_view pattern;
  bool minus;
  std::uint32_t edits = 0;  // with the bases that hang over the record's ends
  std::uint32_t hang = 0;   // those bases
  // The next four only with the columns for them, see MergeColumns.
  std::int64_t number = 0;           // of the record, since two records may have the same name
  std::int64_t origin = 0;           // the record's length if the hit goes over its origin, else 0
  std::uint32_t pattern_number = 0;  // not in TSV
  std::int32_t points = 0;           // of a matrix
};

// Parses the hits of parts that have the same kind and header.
class HitParser {
 public:
  // `more`: the columns that BED and TSV have for merging. `header`: the parts' header, which names the columns of TSV.
  HitParser(PartKind kind, MergeColumns more, std::string_view header);

  // `text`: a line with its line end, or a record: of FASTA, its title and its sequence; of BAM, without its size.
  // Nothing when the text is malformed.
  std::optional<PrintedHit> parse(std::string_view text) const;
  // The text with the standing of its group, which the part leaves open; as parse() takes it. BED is left as it is.
  void set_standing(const Standing& standing, std::string& text) const;

 private:
  std::optional<PrintedHit> parse_tsv(std::string_view line) const;

  PartKind kind_;
  MergeColumns more_;
  // For TSV: the number of columns, and the indices of some; 0: there is none.
  std::size_t columns_ = 0;
  std::size_t edits_ = 0;
  std::size_t number_ = 0;
  std::size_t origin_ = 0;
  std::size_t points_ = 0;
  std::size_t cigar_ = 0;
  std::size_t strand_ = 4;
  std::size_t best_ = 0;  // behind it comes the next best number of edits
};

// A line of BED, TSV or GFF3, or a title of FASTA (with its line end), without the columns for merging and without its
// line end.
std::string_view without(MergeColumns more, PartKind kind, std::string_view line);

// Whether a hit has a place: all have but unmapped records. `text`: as HitParser::parse() takes it.
bool is_mapped(PartKind kind, std::string_view text);

// Sets or clears the secondary flag of an alignment. `text`: a line of SAM or a record of BAM without its size.
void set_secondary(PartKind kind, bool secondary, std::string& text);

}  // namespace basesweep
