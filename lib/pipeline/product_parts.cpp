#include "lib/pipeline/product_parts.hpp"

#include <tbb/parallel_for.h>

#include <algorithm>

#include "lib/base/per_thread.hpp"

namespace basesweep {
namespace {

constexpr std::size_t kMaxParts = 64;
constexpr std::size_t kLeftsInPart = 512;  // at least, where there are many
constexpr std::size_t kTextBytes = std::size_t{1} << 18;
constexpr std::size_t kMaxEntries = std::size_t{1} << 12;

// Memory that is kept from one part to the next.
struct ProductLetters {
  std::string letters;
};

}  // namespace

ProductParts::ProductParts(const BatchProducts& products, const Formatter* formatter)
    : products_(products), formatter_(formatter) {
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
  const PackedBatch& batch = products_.batch();
  part.text = RowText();
  part.entries.clear();
  auto& letters = per_thread<ProductLetters>().letters;
  Product product;
  while (part.entries.size() < kMaxEntries && part.text.view().size() < kTextBytes) {
    if (!part.cursor.next(product)) {
      part.complete = true;
      break;
    }
    const Segment& segment = batch.segments()[batch.segment_at(product.begin())];
    const std::int64_t size = product.end() - product.begin();
    const std::size_t before = part.text.view().size();
    if (formatter_ != nullptr) {
      PlacedProduct placed = place(product, segment);
      if (formatter_->needs_letters()) {
        letters.resize(static_cast<std::size_t>(size));
        batch.copy_letters(product.begin(), product.end(), letters.data());
        placed.letters = letters;
      }
      formatter_->append(placed, part.text);
    }
    part.entries.push_back({product.join.first, product.join.second, product.edits(), segment.source, segment.record,
                            size, part.text.view().size() - before, product.join.strand == Strand::minus});
  }
  if (formatter_ != nullptr) formatter_->finish(part.text);
}

}  // namespace basesweep
