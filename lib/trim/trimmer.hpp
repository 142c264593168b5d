// Trims and filters reads.
#pragma once

#include <string>
#include <vector>

#include "lib/trim/trim_counts.hpp"
#include "lib/trim/trim_settings.hpp"

namespace basesweep {

// The header line of the table of reads.
extern const char* const kTrimColumns;

// Thread-safe but for take().
class Trimmer final : public ReadProcessor {
 public:
  explicit Trimmer(TrimSettings settings);

  ProcessedReads process(const ReadList& reads) const override;
  void take(const ReadCounts& counts) override;
  const TrimSettings& settings() const { return settings_; }
  const TrimCounts& counts() const { return counts_; }

 private:
  struct State;
  struct Batch;
  struct FragmentEnds;

  void size_adapters(TrimCounts& counts) const;
  void cut_ends(const ReadList& list, State& read, TrimCounts::Mate& counts) const;
  void cut_adapters(State& read, Batch& batch) const;
  std::int32_t find_adapters(const State& read, bool turned, std::vector<FoundAdapter>& found) const;
  void replace(State& read, ReadRange within, ReadRange kept, Batch& batch) const;
  FragmentEnds find_ends(State& first, State& second, TrimCounts& counts) const;
  void cut_pair(State& first, State& second, Batch& batch) const;
  void finish(State& read, TrimCounts::Mate& counts) const;
  WrittenRead write(const State& state, TrimReason reason, TrimCounts& counts) const;
  void append_row(const State& read, TrimReason reason, std::string& rows) const;

  TrimSettings settings_;
  TrimCounts counts_;
};

}  // namespace basesweep
