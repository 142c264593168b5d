// Pairs of primers, as files and options give them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "lib/reader/written_sequence.hpp"

namespace basesweep {

// A pair of primers. Sequences are 5' to 3', upper case, IUPAC letters and I.
struct PrimerPair {
  std::string name;
  std::string forward;
  std::string reverse;
  std::string forward_name;                // unique among all primers
  std::string reverse_name;                // the same
  std::string probe{};                     // empty: none
  std::optional<std::int64_t> min_size{};  // of products, in bases; nothing: that of all pairs
  std::optional<std::int64_t> max_size{};
  std::optional<std::uint32_t> edits{};  // of each primer; nothing: those of all pairs
  std::string pool{};                    // primers of different pools are not in one tube; empty: the only pool
  std::string file{};                    // the file it was read from; empty: it was given on the command line
  std::size_t line = 0;                  // in the file, from 1: of the forward primer where each primer has a line
  std::size_t reverse_line = 0;          // of the reverse primer there; else 0
};

// Columns of a table of pairs, by name or by number from 1. "": they are found by the header or the order.
struct PairColumnChoice {
  std::string name;
  std::string forward;
  std::string reverse;
  bool any() const { return !name.empty() || !forward.empty() || !reverse.empty(); }
};

// Reads the pairs of a file (plain or compressed; "-" is stdin). The form is recognised by content:
//
// - a table with a header (tab, comma, semicolon): name, forward, reverse, and optionally probe, min_size, max_size,
//   edits, pool; or, with a primer a row, name, sequence and optionally pool. Common other names of these columns are
//   known ("fwd_seq", "Forward primer (5-3)", "primer_set_name"). Without a column of names the first one that holds
//   nothing else has them
// - three to five columns without a header: name, forward, reverse (primersearch), maximum size (isPcr), or minimum
//   and maximum size (ipcress)
// - BED with sequences in column 7 and pools in column 5 (primalscheme, ARTIC)
// - FASTA
// - the output of primer3 or Primer-BLAST
//
// Where each primer stands alone, its name says to which pair it belongs, and on which side: NAME_LEFT and NAME_RIGHT,
// NAME_L and NAME_R, NAME_F and NAME_R, NAME_fwd and NAME_rev, NAME_forward and NAME_reverse, NAME/1 and NAME/2, in
// either case and also behind '-' or '.', with _alt, _alt1 or _1 behind LEFT and RIGHT. Several primers on one side, as
// a scheme's alternatives, give a pair for each combination. Two primers whose names do not say so are a pair, the
// forward one first.
// Sequences are read by read_written(), which adds to `left_out` unless it is null. Throws IoError, UsageError for a
// column that is not there, and DataError with path and line: for a primer without partner, a pair without name or used
// twice, an illegal letter, or a line that is none of these.
std::vector<PrimerPair> read_primer_pairs(const std::string& path, const PairColumnChoice& columns = {},
                                          LeftOut* left_out = nullptr);

}  // namespace basesweep
