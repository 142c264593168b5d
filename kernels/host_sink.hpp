// The one sink of all CPU kernels: drops what a batch does not own or what touches blocked columns, then stores or
// counts.
#pragma once

#include <vector>

#include "kernels/hit_sink.hpp"
#include "lib/hit.hpp"
#include "lib/matcher.hpp"
#include "lib/packed_batch.hpp"
#include "lib/pattern_set.hpp"

namespace basesweep {

// Fastest when columns do not decrease from call to call; right in any order.
class HostSink final : public HitSink {
 public:
  HostSink(const PackedView& text, const std::vector<Entry>& entries, Output output);

  void word(std::uint32_t column, std::uint32_t entry, std::uint64_t bits) override;
  void hit(std::uint32_t column, std::uint32_t entry) override;
  // Hits in order, or counts. Nothing may be sent afterwards.
  MatchResult finish();

 private:
  bool free_of_blocked(std::uint32_t column, std::uint32_t length);
  void sort_word();

  const PackedView text_;
  const Output output_;
  std::vector<std::uint32_t> lengths_;  // of entries
  MatchResult result_;
  std::uint32_t blocked_ = 0;  // first interval that ends past the last column asked about
  std::uint32_t word_column_ = 0;
  std::size_t word_begin_ = 0;  // first hit of the word that hits are coming for
};

}  // namespace basesweep
