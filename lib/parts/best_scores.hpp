// Chooses the best hit of each record and matrix among the hits of all parts (`pwm --report best-per-record`).
#pragma once

#include <cstdint>
#include <functional>
#include <list>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "lib/parts/hit_line.hpp"

namespace basesweep {

// Each part has its own best hits, in output order. The hits of a record wait until it is complete, at most one for
// each matrix. Of equal scores the first stays: the leftmost, and + before -. Not thread-safe.
class BestScores {
 public:
  // `write`: gets the line of each chosen hit, at most `max_hits` of them.
  BestScores(std::optional<std::uint64_t> max_hits, std::function<void(std::string_view)> write)
      : max_hits_(max_hits), write_(std::move(write)) {}

  // To be called for all hits, in output order.
  void add(const PrintedHit& hit, std::string_view line);
  // All hits have come. Returns how many were chosen.
  std::uint64_t finish();

 private:
  struct Waiting {
    std::int32_t points;
    std::string line;
  };

  void close_record();

  const std::optional<std::uint64_t> max_hits_;
  const std::function<void(std::string_view)> write_;
  std::string record_;
  std::int64_t number_ = -1;
  std::list<Waiting> waiting_;                                               // in output order
  std::unordered_map<std::string, std::list<Waiting>::iterator> of_matrix_;  // by its id
  std::uint64_t chosen_ = 0;
};

}  // namespace basesweep
