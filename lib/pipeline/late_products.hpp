// Products that were stored, on their way to the output: select -> format -> write.
#pragma once

#include <functional>
#include <optional>

#include "lib/pipeline/name_check.hpp"
#include "lib/pipeline/product_selector.hpp"
#include "lib/pipeline/row_output.hpp"
#include "lib/pipeline/row_stages.hpp"
#include "lib/products/placed_product.hpp"

namespace basesweep {

// Gives the blocks of stored products, in output order; see RowStages::next.
using NextProducts = std::function<std::optional<StoredRows<PlacedProduct>>()>;

// Both run on the task arena that they are called in, and throw IoError and DataError.

// Shows all products to the selector.
void see_late_products(const NextProducts& next, int threads, ProductSelector& selector);

// Writes the products that are selected, without a header. `names`: checks their records. `formatter`: that of the
// output; null: they are only counted.
void write_late_products(const NextProducts& next, int threads, ProductSelector& selector, NameCheck& names,
                         const Formatter* formatter, RowOutput& output);

}  // namespace basesweep
