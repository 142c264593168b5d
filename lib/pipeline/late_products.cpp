#include "lib/pipeline/late_products.hpp"

#include <string_view>
#include <vector>

namespace basesweep {

void see_late_products(const NextProducts& next, int threads, ProductSelector& selector) {
  const auto select = [&selector](const std::vector<PlacedProduct>& products) {
    selector.see(products);
    return true;
  };
  run_row_stages<PlacedProduct>({.next = next, .select = select}, threads);
}

void write_late_products(const NextProducts& next, int threads, ProductSelector& selector, NameCheck& names,
                         const Formatter* formatter, RowOutput& output) {
  const auto select = [&](std::vector<PlacedProduct>& products) {
    selector.keep(products);
    for (const PlacedProduct& product : products) names.check(product.record, product.record_name, product.source);
    return !selector.truncated();
  };
  run_row_stages<PlacedProduct>({.next = next,
                                 .select = select,
                                 .formatter = formatter,
                                 .write = [&output](std::string_view text) { output.write(text); }},
                                threads);
}

}  // namespace basesweep
