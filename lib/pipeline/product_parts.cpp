#include "lib/pipeline/product_parts.hpp"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <string>

#include "lib/base/per_thread.hpp"
#include "lib/search/packed_batch.hpp"

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
  std::vector<PlacedProduct> placed;
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

void ProductParts::place(const Made& made, PlacedProduct& placed) const {
  const auto& [product, segment] = made;
  placed.record_name = products_.batch().name(*segment);
  placed.record = segment->reference;
  placed.start = segment->offset + (product.begin() - segment->position);
  placed.end = placed.start + (product.end() - product.begin());
  placed.letters = {};
  placed.source = segment->source;
  placed.circular_length = segment->circular_length;
  placed.left = *product.left;
  placed.right = *product.right;
  const Hit* const probe = products_.probe_of(product);
  placed.probe = probe == nullptr ? std::nullopt : std::optional(*probe);
  placed.join = product.join;
}

void ProductParts::fill(FormattedProducts& part) const {
  const PackedBatch& batch = products_.batch();
  part.text = RowText();
  part.made.clear();
  std::vector<Product>& products = per_thread<ProductMemory>().products;
  while (!part.complete && part.made.size() < kMaxMade && part.text.view().size() < kTextBytes) {
    take_next(part, products);
    if (selector_ != nullptr) selector_->sift(products);
    const std::size_t before = part.made.size();
    for (const Product& product : products) {
      part.made.push_back({product, &batch.segments()[batch.segment_at(product.begin())]});
    }
    format(std::span(part.made).subspan(before), part.text);
  }
  if (formatter_ != nullptr) formatter_->finish(part.text);
}

void ProductParts::keep_first(FormattedProducts& part, std::size_t count) const {
  part.text = RowText();
  part.made.resize(count);
  format(part.made, part.text);
  if (formatter_ != nullptr) formatter_->finish(part.text);
}

// Takes some products, or few that are long.
void ProductParts::take_next(FormattedProducts& part, std::vector<Product>& products) const {
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

void ProductParts::format(std::span<const Made> made, RowText& text) const {
  if (formatter_ == nullptr) return;
  const bool needs_letters = formatter_->needs_letters();
  auto& [letters, products, placed] = per_thread<ProductMemory>();
  while (!made.empty()) {
    std::size_t count = 0;
    std::size_t bases = 0;
    for (; count < std::min(made.size(), kTakenAtOnce) && bases < kTextBytes; ++count) {
      if (count == placed.size()) placed.emplace_back();
      place(made[count], placed[count]);
      bases += static_cast<std::size_t>(placed[count].size());
    }
    if (needs_letters) letters.resize(bases);
    char* to = letters.data();
    for (std::size_t i = 0; needs_letters && i < count; ++i) {
      const Product& product = made[i].product;
      products_.batch().copy_letters(product.begin(), product.end(), to);
      placed[i].letters = {to, product.end() - product.begin()};
      to += product.end() - product.begin();
    }
    formatter_->append_rows({placed.data(), count}, text);
    made = made.subspan(count);
  }
}

}  // namespace basesweep
