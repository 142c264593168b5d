// The products of a batch, made and formatted a part at a time.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "lib/pipeline/product_selector.hpp"
#include "lib/products/batch_products.hpp"
#include "lib/products/placed_product.hpp"
#include "lib/writer/formatter.hpp"

namespace basesweep {

struct Segment;  // lib/search/segment.hpp

// The left hits of a batch are dealt to parts. Each part makes its products as far as its memory goes, and the next
// ones when these are written, so that a batch holds a bounded number however many it has.
class ProductParts {
 public:
  // A product of a part.
  struct Made {
    Product product;
    const Segment* segment;
  };
  struct FormattedProducts {
    ProductCursor cursor;
    RowText text{};
    std::vector<Made> made{};
    bool complete = false;  // there are no products after these
  };

  // `formatter` may be null: products then have no text. `selector` sifts them, unless it is null. Calls a parallel
  // loop that fills the parts.
  ProductParts(const BatchProducts& products, const Formatter* formatter, ProductSelector* selector);

  std::vector<FormattedProducts>& parts() { return parts_; }
  // Makes the next products of a part, in place of those that it holds.
  void fill(FormattedProducts& part) const;
  // Drops all but the first products of a part, and their text.
  void keep_first(FormattedProducts& part, std::size_t count) const;

 private:
  void take_next(FormattedProducts& part, std::vector<Product>& products) const;
  void format(std::span<const Made> made, RowText& text) const;
  // Without letters.
  void place(const Made& made, PlacedProduct& placed) const;

  const BatchProducts& products_;
  const Formatter* formatter_;
  ProductSelector* selector_;
  std::vector<FormattedProducts> parts_;
};

}  // namespace basesweep
