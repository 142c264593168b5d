// Products of `pcr` as rows.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "lib/products/melting.hpp"
#include "lib/products/placed_product.hpp"
#include "lib/products/primer_set.hpp"
#include "lib/rows/rows.hpp"
#include "lib/search/pattern_set.hpp"

namespace basesweep {

struct Query;  // lib/search/query.hpp

// The part of a product that FASTA shows.
enum class ProductPart {
  product,    // as the text reads, with the places of both primers
  amplified,  // as the reaction makes it: with the primers themselves at its ends
  insert,     // without the places of the primers
};

struct ProductDetails {
  MeltingConditions melting{};
  ProductPart part = ProductPart::product;
  std::vector<std::string> files{};  // names of the inputs
};

// Rows are PlacedProducts.
//
//   BED    BED12: the primers are blocks, or one block where they touch
//   GFF3   a feature PCR_product per product
//   FASTA  ProductDetails::part, reverse-complemented for strand -. Its title has the place and the size of this part.
//          An insert between primers that touch or overlap is empty; its place is the end of the left one.
class ProductRows final : public Rows {
 public:
  // `primers` and `patterns`, made from it, must outlive this.
  ProductRows(const PrimerSet& primers, const PatternSet& patterns, ProductDetails details);

  void prepare(const Row& row, unsigned needs) const override;
  LineShape shape(OutputFormat format) const override;
  std::size_t bed_columns() const override { return 12; }

  const PrimerSet& primers() const { return primers_; }
  const Query& query(const Hit& hit) const { return patterns_.queries()[hit.query]; }
  const ProductDetails& details() const { return details_; }

  // A temperature in degrees Celsius; nothing: there is none.
  struct Temperature {
    std::optional<double> degrees;
    std::string printed;
  };
  // The melting temperature of a primer's pattern.
  const Temperature& melting(const Hit& hit) const { return melting_[query(hit).pattern]; }

 private:
  const PrimerSet& primers_;
  const PatternSet& patterns_;
  const ProductDetails details_;
  std::vector<Temperature> melting_;  // of each pattern
};

}  // namespace basesweep
