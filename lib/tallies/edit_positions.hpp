// At which positions of a pattern its hits have edits.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "lib/align/trace.hpp"
#include "lib/search/query.hpp"

namespace basesweep {

// Positions run along the pattern in its own direction, from 0.
struct EditPositions {
  std::vector<std::uint64_t> mismatches{};
  std::vector<std::uint64_t> insertions{};  // bases of the pattern that the text lacks
  std::vector<std::uint64_t> deletions{};   // bases of the text that the pattern lacks, left of the position
  std::vector<std::uint64_t> hits{};        // hits with any edit there, each once

  // `letters`: the text of a hit without indels that lies inside its record, forward strand.
  void add(const Query& query, std::string_view letters);
  // `cigar`: the alignment of a hit of the query, along the forward strand.
  void add(const Query& query, std::span<const CigarRun> cigar);
  void add(const EditPositions& other);
};

}  // namespace basesweep
