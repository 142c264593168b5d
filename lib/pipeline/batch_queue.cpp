#include "lib/pipeline/batch_queue.hpp"

namespace basesweep {

void BatchQueue::add(BatchPtr batch) {
  const std::lock_guard lock(mutex_);
  const BatchPlace place = batch->place();
  waiting_.emplace(place, std::move(batch));
}

BatchQueue::BatchPtr BatchQueue::take() {
  const std::lock_guard lock(mutex_);
  const auto first = waiting_.begin();
  if (first == waiting_.end()) return nullptr;
  if (room_ + max_hits_ > max_room_ && first->first != unwritten_) return nullptr;
  BatchPtr batch = std::move(first->second);
  waiting_.erase(first);
  batch->room = max_hits_;
  room_ += max_hits_;
  return batch;
}

void BatchQueue::set_room(PackedBatch& batch, std::uint64_t hits) {
  const std::lock_guard lock(mutex_);
  room_ += hits - batch.room;
  batch.room = hits;
}

void BatchQueue::finish(PackedBatch& batch) {
  set_room(batch, 0);
  const std::lock_guard lock(mutex_);
  unwritten_ = batch.next_place();
}

}  // namespace basesweep
