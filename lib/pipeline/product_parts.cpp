#include "lib/pipeline/product_parts.hpp"

#include <tbb/parallel_for.h>

#include <algorithm>

#include "lib/base/per_thread.hpp"

namespace basesweep {
namespace {

constexpr std::size_t kMaxParts = 64;
constexpr std::size_t kLeftsInPart = 512;  // at least, where there are many
constexpr std::size_t kTextBytes = std::size_t{1} << 18;
constexpr std::size_t kMaxMade = std::size_t{1} << 12;
constexpr std::size_t kTakenAtOnce = std::size_t{1} << 8;

// Memory that is kept from one part to the next.
struct ProductMemory {
  std::string letters;
  std::vector<Product> products;
};

}  // namespace

ProductParts::ProductParts(const BatchProducts& products, const Formatter* formatter, ProductSelector* selector)
    : products_(products), formatter_(formatter), selector_(selector) {
  const std::vector<const Hit*>& lefts = products.lefts();
  const std::size_t in_part = std::max(kLeftsInPart, (lefts.size() + kMaxParts - 1) / kMaxParts);
  for (std::size_t begin = 0; begin < lefts.size();) {
    std::size_t end = std::min(begin + in_part, lefts.size());
    while (end < lefts.size() && lefts[end]->position == lefts[end - 1]->position) ++end;
    parts_.push_back({ProductCursor(products, begin, end)});
    begin = end;
  }
  tbb::parallel_for(std::size_t{0}, parts_.size(), [this](std::size_t i) { fill(parts_[i]); });
}

PlacedProduct ProductParts::place(const Product& product, const Segment& segment) const {
  PlacedProduct placed;
  placed.record_name = products_.batch().name(segment);
  placed.record = segment.reference;
  placed.start = segment.offset + (product.begin() - segment.position);
  placed.end = placed.start + (product.end() - product.begin());
  placed.source = segment.source;
  placed.circular_length = segment.circular_length;
  placed.left = *product.left;
  placed.right = *product.right;
  if (const Hit* probe = products_.probe_of(product)) placed.probe = *probe;
  placed.join = product.join;
  return placed;
}

void ProductParts::fill(Part& part) const {
  part.text = RowText();
  part.made.clear();
  std::vector<Product>& products = per_thread<ProductMemory>().products;
  while (!part.complete && part.made.size() < kMaxMade && part.text.view().size() < kTextBytes) {
    take_next(part, products);
    if (selector_ != nullptr) selector_->sift(products);
    for (const Product& product : products) add(product, part);
  }
  if (formatter_ != nullptr) formatter_->finish(part.text);
}

// Takes some products, or few that are long.
void ProductParts::take_next(Part& part, std::vector<Product>& products) const {
  products.clear();
  std::size_t bases = 0;
  Product product;
  while (products.size() < kTakenAtOnce && bases < kTextBytes) {
    if (!part.cursor.next(product)) {
      part.complete = true;
      return;
    }
    products.push_back(product);
    bases += product.end() - product.begin();
  }
}

void ProductParts::add(const Product& product, Part& part) const {
  const PackedBatch& batch = products_.batch();
  const Segment& segment = batch.segments()[batch.segment_at(product.begin())];
  const std::size_t before = part.text.view().size();
  if (formatter_ != nullptr) {
    PlacedProduct placed = place(product, segment);
    if (formatter_->needs_letters()) {
      auto& letters = per_thread<ProductMemory>().letters;
      letters.resize(product.end() - product.begin());
      batch.copy_letters(product.begin(), product.end(), letters.data());
      placed.letters = letters;
    }
    formatter_->append(placed, part.text);
  }
  part.made.push_back({product.join, &segment, part.text.view().size() - before});
}

}  // namespace basesweep
