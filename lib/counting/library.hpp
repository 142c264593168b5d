// Libraries of guides or other tags that reads are counted for.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace basesweep {

// The shortest and the longest sequence that a library may have, in bases.
inline constexpr std::size_t kMinTagLength = 4;
inline constexpr std::size_t kMaxTagLength = 64;

struct LibraryGuide {
  std::string name;
  std::string sequence;  // A, C, G and T, upper case
  std::string gene{};    // "": the library has none for it
  std::size_t line = 0;  // in its file, from 1; for messages
};

struct GuideLibrary {
  std::string path;  // as messages name it
  std::vector<LibraryGuide> guides;
  bool has_genes = false;
  std::size_t merged = 0;  // guides that were added to one of the same sequence, see EqualSequences
};

// The treatment of guides that have the same sequence.
enum class EqualSequences {
  refused,
  merged,  // they become one, with the names of all and '|' between them, and with their genes where these differ
};

// The sequences of all guides, in their order.
std::vector<std::string> sequences_of(const GuideLibrary& library);

// Reads a library from FASTA, or from a table with or without a header (tabs, or commas as in CSV); "-" is stdin. The
// column of sequences is the one that holds nothing else. The names are in the column whose title says so, else in the
// first of the others that holds no value twice; genes in the column whose title says so, or without titles in the
// first one that is left. A table of sequences alone names them by their sequence. Throws IoError, and DataError with
// path and line for a letter other than A, C, G, T and U, a sequence that is too short or too long, a name or a
// sequence that comes twice, and a file without guides.
GuideLibrary read_library(const std::string& path, EqualSequences equal = EqualSequences::refused);

// The same for text; `name`: of the file, for messages.
GuideLibrary parse_library(const std::string& text, const std::string& name, EqualSequences equal);

}  // namespace basesweep
