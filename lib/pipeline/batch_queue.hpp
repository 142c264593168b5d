// Batches that wait to be searched, and the order in which what was found in them comes out.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <utility>

#include "lib/search/packed_batch.hpp"

namespace basesweep {

// Hits may take far more memory than the text they are found in: patterns of one base have one at most positions. So
// only as many batches are searched, or wait to be written, as there is room for their hits. A batch gets room for
// `max_hits` before it is searched. One with more hits is cut into parts, which wait for room in its place.
//
// The batch or part whose turn it is to be written always gets room, so that the queue never stands still. Thread-safe.
class BatchQueue {
 public:
  using BatchPtr = std::shared_ptr<PackedBatch>;

  // `max_hits`: of a batch; nobody is kept from finding more in one that cannot be cut. `batches`: how many may have
  // that many at the same time.
  BatchQueue(std::uint64_t max_hits, int batches)
      : max_hits_(max_hits), max_room_(max_hits * static_cast<std::uint64_t>(batches)) {}

  std::uint64_t max_hits() const { return max_hits_; }
  void add(BatchPtr batch);
  // The next batch, if there is room for its hits; else null.
  BatchPtr take();
  // The room that a batch needs from now on.
  void set_room(PackedBatch& batch, std::uint64_t hits);
  // A batch was written. To be called in the order of the batches.
  void finish(PackedBatch& batch);

 private:
  const std::uint64_t max_hits_;
  const std::uint64_t max_room_;
  std::mutex mutex_;
  std::map<BatchPlace, BatchPtr> waiting_;
  std::uint64_t room_ = 0;      // of all batches that were taken
  BatchPlace unwritten_{0, 0};  // the first batch that was not written
};

// Passes on what belongs to batches in the order of the batches. Not thread-safe.
template <class Item>
class InBatchOrder {
 public:
  // Calls use(item) for this item and those that waited for it, if it is its turn.
  template <class Use>
  void add(const PackedBatch& batch, Item item, Use use) {
    waiting_.emplace(batch.place(), std::pair(batch.next_place(), std::move(item)));
    for (auto first = waiting_.begin(); first != waiting_.end() && first->first == next_; first = waiting_.begin()) {
      const Item ready = std::move(first->second.second);
      next_ = first->second.first;
      waiting_.erase(first);
      use(ready);
    }
  }

 private:
  BatchPlace next_{0, 0};
  std::map<BatchPlace, std::pair<BatchPlace, Item>> waiting_;  // each with the place of the one that follows it
};

}  // namespace basesweep
