// Trims and filters reads.
#pragma once

#include <cstdint>
#include <vector>

#include "lib/trim/trim_counts.hpp"
#include "lib/trim/trim_settings.hpp"

namespace basesweep {

struct ReadState;

// Thread-safe but for take().
class Trimmer final : public ReadProcessor {
 public:
  explicit Trimmer(TrimSettings settings);

  ProcessedReads process(const ReadList& reads) const override;
  void take(const ReadCounts& counts) override;
  const TrimSettings& settings() const { return settings_; }
  const TrimCounts& counts() const { return counts_; }

 private:
  struct Batch;
  struct FragmentEnds;

  void size_counts(TrimCounts& counts) const;
  void cut_ends(const ReadList& list, ReadState& read, TrimCounts::Mate& counts) const;
  void cut_adapters(ReadState& read, Batch& batch) const;
  void cut_found(ReadState& read, Batch& batch) const;
  std::int32_t find_adapters(const ReadState& read, bool turned, std::vector<FoundAdapter>& found) const;
  void replace(ReadState& read, ReadRange within, ReadRange kept, Batch& batch) const;
  FragmentEnds find_ends(ReadState& first, ReadState& second, TrimCounts& counts) const;
  void cut_fragment(ReadState& first, ReadState& second, Batch& batch) const;
  void cut_either_way(ReadState& first, ReadState& second, Batch& batch) const;
  void cut_adapter_pair(ReadState& first, ReadState& second, Batch& batch) const;
  void cut_pair(ReadState& first, ReadState& second, Batch& batch) const;
  void cut_primers(ReadState& read, Batch& batch) const;
  void finish(ReadState& read, TrimCounts::Mate& counts) const;
  WrittenRead write(const ReadState& state, TrimReason reason, TrimCounts& counts) const;

  TrimSettings settings_;
  TrimCounts counts_;
};

}  // namespace basesweep
