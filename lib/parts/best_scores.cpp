#include "lib/parts/best_scores.hpp"

namespace basesweep {

void BestScores::add(const PrintedHit& hit, std::string_view line) {
  if (hit.number != number_ || hit.record != record_) {
    close_record();
    number_ = hit.number;
    record_ = hit.record;
  }
  const auto [known, fresh] = of_matrix_.try_emplace(std::string(hit.pattern));
  if (!fresh) {
    if (hit.points <= known->second->points) return;
    waiting_.erase(known->second);
  }
  known->second = waiting_.insert(waiting_.end(), {hit.points, std::string(line)});
}

std::uint64_t BestScores::finish() {
  close_record();
  return chosen_;
}

void BestScores::close_record() {
  for (const Waiting& hit : waiting_) {
    if (max_hits_ && chosen_ == *max_hits_) break;
    ++chosen_;
    write_(hit.line);
  }
  waiting_.clear();
  of_matrix_.clear();
}

}  // namespace basesweep
