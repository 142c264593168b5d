// The input file of Cas-OFFinder: the path of a genome, a pattern of N and the PAM, and a line for each guide.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace basesweep {

class PatternList;

// The search that such a file describes, apart from its guides.
struct CasOffinderInput {
  std::string genome;  // its first line
  std::string pam;     // IUPAC letters, upper case
  bool pam_5prime = false;
  std::uint32_t dna_bulges = 0;
  std::uint32_t rna_bulges = 0;
  std::uint32_t mismatches = 0;  // of the first guide
  std::string differing{};       // two lines whose guides have different numbers of mismatches; "": all have one number
};

// Whether the text is such a file: its second line is a pattern, mostly N, and its third a guide of the same length
// and a number.
bool is_cas_offinder(std::string_view text);

// Adds the guides, with letters in place of the PAM as they are, to the list. A guide without a name is named by its
// letters. The PAM is the end of the pattern for which every guide has letters that mean at least the same bases.
// Throws DataError with path and line.
CasOffinderInput read_cas_offinder(std::string_view text, PatternList& guides);

}  // namespace basesweep
