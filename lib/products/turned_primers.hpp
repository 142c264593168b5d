// Finds pairs with a primer that seems to be given as its reverse complement.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "lib/products/primer_set.hpp"
#include "lib/search/hit.hpp"

namespace basesweep {

class PackedBatch;  // lib/search/packed_batch.hpp
class PatternSet;   // lib/search/pattern_set.hpp

// Primers are searched on both strands anyway. If the sites of a pair would make a product with one primer, or both,
// turned round, that primer is written as the wrong strand reads. (Clamps and bulges, which have a side, are those of
// the primer as it is given.)
class TurnedPrimers {
 public:
  // Both must outlive this object. `primers`: of pairs, not of a pool.
  TurnedPrimers(const PrimerSet& primers, const PatternSet& patterns);

  // Looks at the hits of a batch, ordered by position. Takes about as long as sorting them. Thread-safe.
  void see(const PackedBatch& batch, std::span<const Hit> hits);

  // Sentences about the pairs that have no products, at most one for each kind of fault. In a run where other pairs
  // have some, only pairs count whose turned sites can hardly be chance.
  std::vector<std::string> warnings(const std::function<bool(std::uint32_t pair)>& has_products) const;

 private:
  // Which primers have to be turned; with `exact` there are such sites without edits.
  enum Turned : std::uint8_t { none = 0, forward = 1, reverse = 2, both = 3, exact = 4 };

  // Looks at the hits with at most `edits`.
  void look(const PackedBatch& batch, std::span<const Hit> hits, std::uint32_t edits);

  const PrimerSet& primers_;
  const PatternSet& patterns_;
  std::vector<std::atomic<std::uint8_t>> turned_;  // of each pair; none: not known
};

}  // namespace basesweep
