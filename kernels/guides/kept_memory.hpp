// Memory that a finder needs for a batch, kept for the next one.
#pragma once

#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace basesweep {

// Thread-safe. Makes more of it when all is taken.
template <class Memory>
class KeptMemory {
 public:
  std::unique_ptr<Memory> take() {
    const std::lock_guard lock(mutex_);
    if (kept_.empty()) return std::make_unique<Memory>();
    std::unique_ptr<Memory> memory = std::move(kept_.back());
    kept_.pop_back();
    return memory;
  }
  void give_back(std::unique_ptr<Memory> memory) {
    const std::lock_guard lock(mutex_);
    kept_.push_back(std::move(memory));
  }

 private:
  std::mutex mutex_;
  std::vector<std::unique_ptr<Memory>> kept_;
};

}  // namespace basesweep
