// Hits of a record that wait until the record is complete.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "lib/writer/hit_copies.hpp"
#include "lib/writer/hit_spool.hpp"

namespace basesweep {

// Few hits wait in memory, many in a spool. Not thread-safe.
class WaitingHits {
 public:
  static constexpr std::size_t kMaxBytes = std::size_t{1} << 22;

  // `directory` and `threads`: of the spool. More than `max_bytes` of hits go there.
  WaitingHits(std::string directory, int threads, std::size_t max_bytes = kMaxBytes)
      : directory_(std::move(directory)), threads_(threads), max_bytes_(max_bytes) {}

  // Throws IoError.
  void add(const PlacedHit& hit);
  // Calls `use` with every hit, in the order of add(). To be called once, after the last add(). Throws IoError.
  void replay(const std::function<void(const PlacedHit&)>& use);

 private:
  std::string directory_;
  int threads_;
  std::size_t max_bytes_;
  HitCopies copies_;
  std::unique_ptr<HitSpool> spool_;  // all hits, once they are too many for memory
};

}  // namespace basesweep
