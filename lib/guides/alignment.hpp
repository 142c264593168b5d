// An alignment of a CRISPR guide to the text beside a PAM.
#pragma once

#include <cstdint>
#include <string_view>

namespace basesweep {

// Bases that one side of an alignment has and the other has not.
enum class Bulge : std::uint8_t {
  none,
  dna,  // text bases without a guide base
  rna,  // guide bases without a text base
};

// `guide` and `text` have one letter for each column of the alignment, from the guide's 5' end to its 3' end, without
// the PAM. The views belong to whoever made the alignment.
struct GuideAlignment {
  std::string_view guide;        // upper-case IUPAC letters; '-' in the columns of a DNA bulge
  std::string_view text;         // upper-case letters, also N and others; '-' only in the columns of an RNA bulge
  std::string_view pam;          // the text beside it that the PAM matches, on the guide's strand, 5' to 3'
  bool pam_5prime = false;       // the PAM lies before the guide's 5' end (TTTV of Cas12a); otherwise behind its 3' end
  std::uint32_t mismatches = 0;  // columns with a letter on either side that do not match
  Bulge bulge = Bulge::none;
  std::uint32_t bulge_size = 0;      // its columns, which stand side by side; 0 without a bulge
  std::uint32_t bulge_position = 0;  // its first column, 0-based, from the guide's 5' end; 0 without a bulge

  // The guide's bases, those in an RNA bulge too.
  std::uint32_t guide_length() const {
    return static_cast<std::uint32_t>(guide.size()) - (bulge == Bulge::dna ? bulge_size : 0);
  }
};

}  // namespace basesweep
