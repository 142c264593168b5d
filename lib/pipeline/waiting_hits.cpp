#include "lib/pipeline/waiting_hits.hpp"

#include <utility>

namespace basesweep {

void WaitingHits::add(const PlacedHit& hit) {
  if (spool_ != nullptr) return spool_->add(hit);
  copies_.add(hit);
  if (copies_.memory_bytes() <= max_bytes_) return;
  spool_ = std::make_unique<HitSpool>(directory_, threads_);
  std::exchange(copies_, {}).for_each([this](const PlacedHit& kept) { spool_->add(kept); });
}

void WaitingHits::replay(const std::function<void(const PlacedHit&)>& use) {
  if (spool_ == nullptr) return copies_.for_each(use);
  spool_->rewind();
  for (PlacedHit hit; spool_->next(hit);) use(hit);
}

}  // namespace basesweep
