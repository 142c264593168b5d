// The places of CRISPR guides (`guides`) as their definition says: every record and strand, every border beside a PAM,
// every alignment, letter by letter.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "lib/oracle/naive.hpp"

namespace oracle {

struct GuideQuestion {
  std::vector<std::string> records;  // as in Question
  std::vector<std::string> guides;   // IUPAC letters, upper case, without PAM
  std::vector<std::string> pams;     // the same
  bool pam_5prime = false;
  std::size_t mismatches = 0;
  std::size_t dna_bulges = 0;
  std::size_t rna_bulges = 0;
  std::size_t seed = 0;
  std::size_t seed_mismatches = 0;
  bool skip_soft_masked = false;  // no place may touch a lower-case letter
  bool by_bulge = false;          // a hit for each kind and size of bulge of a place
};

struct GuideHit {
  std::int64_t record;
  std::int64_t start;  // PAM included, 0-based, on the forward strand
  std::int64_t end;    // exclusive
  char strand;
  std::size_t guide;
  std::size_t pam;  // the first that matches
  char bulge;       // 'X': none, 'D': of DNA, 'R': of RNA
  std::size_t size;
  std::size_t mismatches;
  std::string guide_letters;  // aligned, 5' to 3', '-' in a DNA bulge
  std::string text_letters;   // aligned, upper case, '-' in an RNA bulge

  bool operator==(const GuideHit&) const = default;
};

// One hit for each place, that of the alignment which stands for it, or, by bulge, one for each kind and size of bulge,
// that of the first alignment with the fewest mismatches. Ordered by record, start, end, strand, guide, PAM.
std::vector<GuideHit> search(const GuideQuestion& question);

// The hit as text, for messages.
std::string print(const GuideHit& hit);

}  // namespace oracle
