// Prints hits as alignments of patterns to records.
#pragma once

#include <memory>
#include <string>

#include "lib/writer/formatter.hpp"

namespace basesweep {

struct SamOptions {
  bool binary = false;         // BAM, not yet compressed
  bool distinguish = false;    // = and X in CIGAR instead of M
  bool program = true;         // a @PG line
  std::string command_line{};  // CL of the @PG line: what bears on the result, in canonical form
  // An @RG line with ID, PL and so on, tabs as \t or as such; empty: none. UsageError when it is not well formed.
  std::string read_group{};
  std::string comment{};  // a @CO line; empty: none
  std::string path{};     // of the input, for messages; empty: not known, or several
};

// SAM 1.6, sorted by coordinate as hits are. A hit is an alignment of the pattern: QNAME the pattern's name, SEQ its
// sequence (reverse-complemented for strand -, FLAG 16), QUAL *, MAPQ 255; the first of a pattern in the output is
// primary, the rest secondary (FLAG 256). NM and MD as `samtools calmd` computes them, so that IUPAC codes of the
// pattern count as mismatches; XE:i our edits.
//
// Throws UsageError naming a pattern whose name SAM does not allow. header() throws DataError naming a record whose
// name SAM does not allow or that was there before, or that has 2^31 bases or more.
std::unique_ptr<Formatter> make_sam_formatter(const PatternSet& patterns, const SamOptions& options);

}  // namespace basesweep
