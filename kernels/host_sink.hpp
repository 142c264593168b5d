// The one sink of all CPU kernels: drops what a batch does not own or what touches blocked columns, then stores or
// counts.
#pragma once

#include <limits>
#include <vector>

#include "kernels/hit_sink.hpp"
#include "lib/hit.hpp"
#include "lib/matcher.hpp"
#include "lib/packed_batch.hpp"
#include "lib/pattern_set.hpp"

namespace basesweep {

// What a matcher searches of a batch. Exact: what the batch owns. Approximate: all of it, and nothing is blocked but
// what lies past the end; `open_end` keeps that interval.
PackedView searched_text(const PackedView& batch, const PatternSet& patterns, Interval& open_end);

// How many columns a hit of each entry takes up for the sink: in an approximate search a hit is one column, the last.
std::vector<std::uint32_t> sink_lengths(const PatternSet& patterns);

// Fastest when columns do not decrease from call to call; right in any order. In an approximate search a hit may
// be sent more than once.
class HostSink final : public HitSink {
 public:
  // `lengths`: sink_lengths() of the patterns; it must outlive the sink.
  HostSink(const PackedView& text, const std::vector<std::uint32_t>& lengths, bool approximate, Output output);

  void word(std::uint32_t column, std::uint32_t entry, std::uint64_t bits) override;
  void hit(std::uint32_t column, std::uint32_t entry) override;
  // Hits in order, or counts. Nothing may be sent afterwards.
  MatchResult finish();

 private:
  static constexpr std::uint32_t kNoWord = std::numeric_limits<std::uint32_t>::max();

  bool free_of_blocked(std::uint32_t column, std::uint32_t length);
  void sort_word();

  const PackedView text_;
  const Output output_;
  const bool approximate_;
  const std::vector<std::uint32_t>& lengths_;  // of entries
  MatchResult result_;
  std::uint32_t blocked_ = 0;  // first interval that ends past the last column asked about
  std::uint32_t word_column_ = kNoWord;
  std::size_t word_begin_ = 0;  // first hit of the word that hits are coming for
};

}  // namespace basesweep
