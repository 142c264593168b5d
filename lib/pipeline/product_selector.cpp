#include "lib/pipeline/product_selector.hpp"

#include <algorithm>
#include <utility>

namespace basesweep {
namespace {

// Calls use(begin, end) for the products of each record of a block.
template <class Iterator, class Use>
void for_each_record(Iterator begin, Iterator end, Use use) {
  while (begin != end) {
    const auto next = std::find_if(
        begin, end, [record = begin->record](const PlacedProduct& product) { return product.record != record; });
    use(begin, next);
    begin = next;
  }
}

}  // namespace

void FewestEdits::see(std::uint64_t pair, std::uint32_t edits) {
  const auto [fewest, fresh] = of_pair_.try_emplace(pair, edits);
  if (!fresh) fewest->second = std::min(fewest->second, edits);
}

void ProductSelector::sift(std::vector<Product>& products) {
  if (options_.report != ProductReport::best) return;
  const std::lock_guard lock(mutex_);
  for (const Product& product : products) best_.see(pair_of(product.join), product.edits());
  std::erase_if(products,
                [this](const Product& product) { return !best_.are(pair_of(product.join), product.edits()); });
}

void ProductSelector::see(const Products& block) {
  if (options_.report == ProductReport::best_per_record) return see_records(block);
  for (const PlacedProduct& product : block) best_.see(pair_of(product.join), product.edits());
}

void ProductSelector::see_records(const Products& block) {
  for_each_record(block.begin(), block.end(), [&](auto begin, auto end) {
    const bool goes_on = begin->record == record_;
    if (!goes_on) of_record_ = FewestEdits();
    record_ = begin->record;
    FewestEdits& fewest = goes_on ? of_cut_records_.try_emplace(record_, of_record_).first->second : of_record_;
    for (auto product = begin; product != end; ++product) fewest.see(pair_of(product->join), product->edits());
  });
}

void ProductSelector::keep(Products& block) {
  auto kept = block.begin();
  const auto keep_best = [&](auto begin, auto end, const FewestEdits& fewest) {
    for (auto product = begin; product != end; ++product) {
      if (!fewest.are(pair_of(product->join), product->edits())) continue;
      if (!keep(product->join, product->source)) return;
      *kept++ = *product;
    }
  };
  if (options_.report == ProductReport::best_per_record) {
    for_each_record(block.begin(), block.end(), [&](auto begin, auto end) {
      const auto cut = of_cut_records_.find(begin->record);
      keep_best(begin, end, cut != of_cut_records_.end() ? cut->second : fewest_in(begin, end));
    });
  } else {
    keep_best(block.begin(), block.end(), best_);
  }
  block.erase(kept, block.end());
}

FewestEdits ProductSelector::fewest_in(Products::const_iterator begin, Products::const_iterator end) const {
  FewestEdits fewest;
  for (auto product = begin; product != end; ++product) fewest.see(pair_of(product->join), product->edits());
  return fewest;
}

bool ProductSelector::keep(const Join& join, std::uint32_t source) {
  if (options_.max_products && total_ == *options_.max_products) {
    truncated_ = true;
    return false;
  }
  ++total_;
  const std::size_t place = options_.by_source ? source : 0;
  if (counts_.size() <= place) counts_.resize(place + 1);
  ProductCounts& counts = counts_[place][pair_of(join)];
  ++(join.strand == Strand::minus ? counts.minus : counts.plus);
  return true;
}

}  // namespace basesweep
