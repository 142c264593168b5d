// Clips primers from BAM records.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lib/trim/primer_places.hpp"

namespace basesweep {

struct BamFields;

struct ClipCounts {
  std::uint64_t alignments = 0;  // records of any kind
  std::uint64_t bases = 0;       // of reads
  std::uint64_t clipped = 0;     // alignments that lost a primer
  std::uint64_t both = 0;        // of these, at both ends
  std::uint64_t emptied = 0;     // of these, without a base left
  std::uint64_t unmapped = 0;    // were so in the input
  std::uint64_t clipped_bases = 0;
  std::uint64_t unknown_mates = 0;        // records with a mapped mate whose CIGAR they do not have (MC)
  std::vector<std::uint64_t> primers[2];  // alignments that lost each primer: at their left end, and at their right end

  void add(const ClipCounts& other);
};

// Thread-safe.
class PrimerClipper {
 public:
  // As PrimerPlaces.
  PrimerClipper(const PrimerScheme& scheme, std::span<const RecordInfo> references, std::uint32_t tolerance);

  // Counts of zero, for add().
  ClipCounts counts() const;
  // Appends the BAM record, which has its size first, as it is after clipping. Its mate's fields (PNEXT, MC, FLAG) and
  // TLEN are those after clipping of the mate, if the record has MC. Throws std::runtime_error with the fault, as part
  // of a message, for a record that is damaged.
  void clip(std::string_view record, std::string& to, ClipCounts& counts) const;

  // An alignment before and after clipping.
  struct Clipped;

 private:
  bool has_place(std::int32_t reference, std::int32_t position) const;
  bool clip_mate(const BamFields& record, Clipped& mate, ClipCounts& counts) const;

  std::size_t primers_;
  std::size_t references_;
  PrimerPlaces places_;
};

}  // namespace basesweep
