// Finds the primers of an amplicon scheme at the ends of reads, by their sequences. Rules: docs/reads.md.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "lib/trim/adapter_set.hpp"
#include "lib/trim/primer_scheme.hpp"

namespace basesweep {

struct PrimerOptions {
  double max_errors = 0.1;  // as AdapterDefaults has it
  bool indels = true;
  std::uint32_t first_overlap = 12;  // least bases of a primer that the start of a read cuts off
  std::uint32_t last_overlap = 3;    // and of one at the end of a read that begins with its partner
  std::uint32_t tolerance = 5;       // a primer may begin so many bases after the start of a read
};

// The primers of a read. Indices are those of the scheme.
struct FoundPrimers {
  std::uint32_t first = 0;              // the read begins with it
  std::optional<std::uint32_t> last{};  // and ends with the reverse complement of this one
  std::uint32_t errors = 0;             // of both
  ReadRange kept;                       // the bases between them
};

// Thread-safe.
class PrimerFinder {
 public:
  // All primers need a sequence. Throws DataError, which names the primer, for one that cannot be searched for.
  PrimerFinder(const PrimerScheme& scheme, const PrimerOptions& options);

  const std::vector<std::string>& names() const { return names_; }
  // The primer with the highest score at the start of the read (of equal ones that with the fewest errors, then the one
  // that comes first), and its partner. Nothing if the read does not begin with a primer.
  std::optional<FoundPrimers> find(std::span<const LetterSet> read) const;

 private:
  // Primers of one length.
  struct Group {
    std::size_t reach;  // they are looked for in so many bases of a read
    AdapterSet adapters;
    std::vector<std::uint32_t> primers;
  };
  // The reverse complements of the primers at the other side of an amplicon.
  struct Partners {
    AdapterSet adapters;
    std::vector<std::uint32_t> primers;
  };

  std::optional<FoundAdapter> find_last(const AdapterSet& adapters, std::span<const LetterSet> read) const;

  std::uint32_t clear_overlap_;  // so many bases of a primer are one beyond doubt
  std::vector<std::string> names_;
  std::vector<Group> groups_;
  std::vector<Partners> partners_;
  std::vector<std::size_t> partners_of_;  // each primer
};

}  // namespace basesweep
