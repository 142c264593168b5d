#include "lib/pipeline/product_selector.hpp"

#include <algorithm>

namespace basesweep {

void ProductSelector::add(const std::vector<ProductEntry>& entries, std::string_view text) {
  if (options_.report == ProductReport::all) {
    std::size_t kept = 0;
    for (const ProductEntry& entry : entries) {
      if (!keep(entry)) break;  // there are enough, so no later one is kept either
      if (options_.late) spool_.add(entry, text.substr(kept, entry.text_bytes));
      kept += entry.text_bytes;
    }
    if (kept != 0 && !options_.late) write_(text.substr(0, kept));
    return;
  }
  for (const ProductEntry& entry : entries) {
    const std::string_view own = text.substr(0, entry.text_bytes);
    text.remove_prefix(entry.text_bytes);
    if (options_.report == ProductReport::best) {
      const auto [lowest, fresh] = lowest_.try_emplace(entry.pair(), entry.edits);
      if (!fresh && entry.edits > lowest->second) continue;
      lowest->second = entry.edits;
    }
    spool_.add(entry, own);
  }
}

bool ProductSelector::keep(const ProductEntry& entry) {
  if (options_.max_products && total_ == *options_.max_products) {
    truncated_ = true;
    return false;
  }
  ++total_;
  const std::size_t source = options_.by_source ? entry.source : 0;
  if (counts_.size() <= source) counts_.resize(source + 1);
  ProductCounts& counts = counts_[source][entry.pair()];
  ++(entry.minus ? counts.minus : counts.plus);
  return true;
}

void ProductSelector::finish() {
  const bool all = options_.report == ProductReport::all;
  if (all && !options_.late) return;
  spool_.finish();
  if (options_.report == ProductReport::best_per_record) return finish_per_record();
  ProductSpool::Walk walk(spool_);
  ProductEntry entry;
  std::string text;
  while (walk.next(entry, &text)) {
    if (!all) {
      if (entry.edits > lowest_.at(entry.pair())) continue;
      if (!keep(entry)) return;
    }
    write_(text);
  }
}

// The products of a record follow each other, so a second walk, ahead of the first, finds what is best in it.
void ProductSelector::finish_per_record() {
  ProductSpool::Walk walk(spool_);
  ProductSpool::Walk ahead(spool_);
  ProductEntry entry;
  ProductEntry next;
  std::string text;
  std::int64_t record = -1;
  bool more = ahead.next(next, nullptr);
  while (walk.next(entry, &text)) {
    if (entry.record != record) {
      record = entry.record;
      lowest_.clear();
      for (; more && next.record == record; more = ahead.next(next, nullptr)) {
        const auto [lowest, fresh] = lowest_.try_emplace(next.pair(), next.edits);
        if (!fresh) lowest->second = std::min(lowest->second, next.edits);
      }
    }
    if (entry.edits > lowest_.at(entry.pair())) continue;
    if (!keep(entry)) return;
    write_(text);
  }
}

}  // namespace basesweep
