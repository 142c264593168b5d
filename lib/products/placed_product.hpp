// Products as rows.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "lib/products/primer_set.hpp"
#include "lib/rows/row.hpp"
#include "lib/search/hit.hpp"

namespace basesweep {

// A product with everything that is written about it.
struct PlacedProduct : PlacedRow {
  // Their positions, in the batch, say only how far they are from each other.
  Hit left{};   // on strand +
  Hit right{};  // on strand -
  std::optional<Hit> probe{};
  Join join{};

  const Hit& forward() const { return PrimerSet::forward_is_left(join) ? left : right; }
  const Hit& reverse() const { return PrimerSet::forward_is_left(join) ? right : left; }
  std::int64_t size() const { return end - start; }
  std::uint32_t edits() const { return std::uint32_t{left.edits} + right.edits; }
  // The place of a hit of the product in the record.
  std::int64_t start_of(const Hit& hit) const { return start + (hit.position - left.position); }
  // The letters of a hit of the product.
  std::string_view letters_of(const Hit& hit) const { return letters.substr(hit.position - left.position, hit.length); }
};

}  // namespace basesweep
