#include "lib/pipeline/hit_printer.hpp"

#include <tbb/parallel_for.h>

#include "lib/search/packed_batch.hpp"

namespace basesweep {
namespace {

constexpr std::size_t kBytesInPart = 1U << 18;
constexpr std::size_t kPartsAtOnce = 64;

}  // namespace

void HitPrinter::add(const PlacedHit& hit) {
  parts_.back().add(hit);
  if (parts_.back().memory_bytes() < kBytesInPart) return;
  if (parts_.size() == kPartsAtOnce) flush();
  parts_.emplace_back();
}

void HitPrinter::flush() {
  std::vector<RowText> texts(parts_.size());
  tbb::parallel_for(std::size_t{0}, parts_.size(), [&](std::size_t i) {
    std::vector<PlacedHit> hits;
    parts_[i].for_each([&](const PlacedHit& hit) { hits.push_back(hit); });
    formatter_.append_rows(hits, texts[i]);
    formatter_.finish(texts[i]);
  });
  for (const RowText& text : texts) sink_.write(text.view());
  parts_.clear();
}

}  // namespace basesweep
