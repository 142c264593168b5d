// Reads ahead in the parts of a run, to know the best hits of a record before the first of them is written.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "lib/align/standings.hpp"
#include "lib/parts/hit_line.hpp"

namespace basesweep {

// Memory is bounded by the number of patterns: each record's hits are read here once, before they are read again to be
// written. Not thread-safe.
class RecordLookahead {
 public:
  // The next hit of all parts, in output order; nothing behind the last. It is valid until the next call.
  using NextHit = std::function<std::optional<PrintedHit>()>;

  // `patterns_compete`: all hits of a record are one group; otherwise those of a pattern are.
  RecordLookahead(NextHit next, bool patterns_compete) : next_(std::move(next)), patterns_compete_(patterns_compete) {}

  // How the hit's group stands. To be called for all hits, in output order. The result is valid until the next call.
  const RecordStandings::OfGroup& of(const PrintedHit& hit);

 private:
  bool in_record(const PrintedHit& hit) const { return hit.record == record_ && hit.number == number_; }
  void add(const PrintedHit& hit);
  void read_record();
  std::uint32_t pattern_of(const PrintedHit& hit);
  std::uint32_t group_of(const PrintedHit& hit) { return patterns_compete_ ? 0 : pattern_of(hit); }

  NextHit next_;
  bool patterns_compete_;
  std::unordered_map<std::string, std::uint32_t> patterns_;  // numbers in order of appearance
  RecordStandings standings_;
  std::optional<PrintedHit> ahead_;  // the first hit of the next record
  bool started_ = false;
  std::string record_;  // that groups_ are of
  std::int64_t number_ = -1;
  std::vector<RecordStandings::OfGroup> groups_;
};

}  // namespace basesweep
