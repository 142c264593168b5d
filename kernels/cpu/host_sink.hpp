// The sink of all CPU kernels. It drops occurrences that the batch does not own or that touch blocked positions, and
// stores or counts the others.
#pragma once

#include <limits>
#include <vector>

#include "kernels/occurrence_sink.hpp"
#include "lib/search/match_result.hpp"
#include "lib/search/packed_view.hpp"

namespace basesweep {

class PatternSet;  // lib/search/pattern_set.hpp

// The part of a batch that a matcher searches. In an exact search it is what the batch owns. In an approximate search
// it is all of the batch, with nothing blocked but what lies past its end; the result then points to `open_end`, which
// this fills in.
PackedView searched_text(const PackedView& batch, const PatternSet& patterns, Interval& open_end);

// For each query, how many positions of an occurrence must not be blocked: all in an exact search, one (its end) in an
// approximate search.
std::vector<std::uint32_t> sink_lengths(const PatternSet& patterns);

// There are more occurrences in a batch than it may have.
struct TooManyOccurrences {};

// Takes positions in any order, and is fastest if they do not decrease from call to call.
class HostSink final : public OccurrenceSink {
 public:
  // `lengths`: sink_lengths() of the patterns; it must outlive the sink. Throws TooManyOccurrences, from the calls
  // below, as soon as there are more than `max_occurrences`.
  HostSink(const PackedView& text, const std::vector<std::uint32_t>& lengths, Finds finds, Output output,
           std::uint64_t max_occurrences = std::numeric_limits<std::uint64_t>::max());

  void word(std::uint32_t position, std::uint32_t query, std::uint64_t bits) override;
  void send(std::uint32_t position, std::uint32_t query) override;
  // Occurrences in order, each once, or counts. Nothing may be sent afterwards.
  MatchResult finish();

 private:
  static constexpr std::uint32_t kNoWord = std::numeric_limits<std::uint32_t>::max();

  bool free_of_blocked(std::uint32_t position, std::uint32_t length);
  void sort_word();
  void check_number() const {
    if (result_.occurrences.size() > max_occurrences_) [[unlikely]]
      throw TooManyOccurrences();
  }

  const PackedView text_;
  const Output output_;
  const Finds finds_;
  const std::vector<std::uint32_t>& lengths_;
  const std::uint64_t max_occurrences_;
  MatchResult result_;
  std::uint32_t blocked_ = 0;  // the first interval that ends past the position of the last call
  std::uint32_t word_position_ = kNoWord;
  std::size_t word_begin_ = 0;  // index of the first occurrence in the current word
};

}  // namespace basesweep
