// Clips the primers of an amplicon scheme from alignments, by their places on the reference. Rules: docs/reads.md.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "lib/base/record_info.hpp"
#include "lib/trim/primer_scheme.hpp"

namespace basesweep {

// The bases [begin, end) of the reference that a read is aligned to. `cigar`: operations as BAM codes them.
struct AlignedPart {
  std::int64_t begin = 0;
  std::vector<std::uint32_t> cigar;

  std::int64_t end() const;
  // Whether a base is aligned to one of the reference.
  bool has_bases() const;
};

// The primers that an alignment lost at its ends on the reference: indices of the scheme.
struct LostPrimers {
  std::optional<std::uint32_t> left{};
  std::optional<std::uint32_t> right{};

  bool any() const { return left || right; }
};

// Thread-safe.
class PrimerPlaces {
 public:
  // `references`: the records that alignments name by number. Throws DataError for a scheme none of whose records is
  // among them, and for a primer that ends after its record.
  PrimerPlaces(const PrimerScheme& scheme, std::span<const RecordInfo> references, std::uint32_t tolerance);

  // Soft-clips the primers: the left end up to the end of a primer of strand +, if the alignment begins in the primer
  // or at most `tolerance` bases before it, and the right end likewise down to the begin of a primer of strand -. Of
  // several primers, that counts which clips most. Insertions and deletions next to a clip go with it. What is left may
  // have no bases.
  LostPrimers clip(std::int32_t reference, AlignedPart& part) const;

 private:
  // A primer as alignments that grow to the right see it; those of strand - with signs turned.
  struct Place {
    std::int64_t begin;  // its outer end
    std::int64_t end;    // its inner end
    std::uint32_t primer;
  };
  struct Side {
    std::vector<Place> places;  // by begin
    std::int64_t longest = 0;
  };

  const Place* find(const Side& side, std::int64_t begin) const;

  std::int64_t tolerance_;
  std::vector<Side> sides_;  // two for each record: strand +, strand -
};

}  // namespace basesweep
