// Primer schemes of amplicon panels (ARTIC, primalscheme): the places of primers on a reference, and their sequences.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace basesweep {

// A primer at bases [begin, end) of a record, 0-based.
struct SchemePrimer {
  std::string name;
  std::string record;
  std::int64_t begin = 0;
  std::int64_t end = 0;
  bool forward = true;       // on strand +: amplicons begin with it; else they end with it
  std::size_t amplicon = 0;  // number of its amplicon; alternative primers have that of the primer they replace
  std::string sequence{};    // as the primer is ordered, 5' to 3', upper case; "": not known
  std::size_t line = 0;      // in the file, from 1
};

struct PrimerScheme {
  std::string path;
  std::vector<SchemePrimer> primers;
  std::vector<std::string> amplicons;  // their names
};

// Reads BED with at least four columns: record, begin, end, name; strand in column 6, and sequence in column 7, if they
// are there. A primer's side is that of its name (NAME_LEFT, NAME_RIGHT, see primer_role()), or its strand where the
// name has none; such a primer is alone in its amplicon. Throws IoError, and DataError with path and line: for a line
// that is no such row, a primer of neither side, one whose name and strand differ, a name that comes twice, and letters
// that are no IUPAC codes.
PrimerScheme read_primer_scheme(const std::string& path);

// Takes the sequences that the scheme lacks from a FASTA file. Throws IoError, and DataError for a record or a place
// that the file does not have.
void add_sequences(const std::string& reference, PrimerScheme& scheme);

}  // namespace basesweep
