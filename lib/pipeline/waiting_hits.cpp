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
  spool_ != nullptr ? spool_->replay(use) : copies_.for_each(use);
}

}  // namespace basesweep
