// Trims and filters reads.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "lib/trim/trim_settings.hpp"

namespace basesweep {

// The header line of the table of reads.
extern const char* const kTrimColumns;

struct TrimCounts final : ReadCounts {
  std::uint64_t reads = 0;  // pairs, if reads are pairs
  std::array<std::uint64_t, kTrimReasons> reasons{};
  std::uint64_t turned = 0;
  // Of each mate.
  struct Mate {
    std::uint64_t with_adapter = 0;
    std::vector<std::uint64_t> adapters{};  // places found of each
    std::uint64_t bases = 0;
    std::uint64_t quality_bases = 0;  // cut by quality
    std::uint64_t adapter_bases = 0;  // cut with adapters
    std::uint64_t poly_a_bases = 0;
    std::uint64_t written_bases = 0;
  };
  Mate mates[2];
  // Of pairs that are trimmed by their overlap.
  std::uint64_t by_both = 0;     // overlap and adapter agree
  std::uint64_t by_overlap = 0;  // overlap alone
  std::uint64_t by_adapter = 0;  // adapter alone
  std::uint64_t differing = 0;   // they differ by more than 2 bases; the adapter counts
  std::uint64_t dimers = 0;      // fragments without bases

  // `other`: of the same adapters.
  void add(const TrimCounts& other);
};

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

  void size_adapters(TrimCounts& counts) const;
  void cut_ends(const ReadList& list, State& read, TrimCounts::Mate& counts) const;
  void cut_adapters(State& read, Batch& batch) const;
  std::int32_t find_adapters(const State& read, bool turned, std::vector<FoundAdapter>& found) const;
  void replace(State& read, ReadRange within, ReadRange kept, Batch& batch) const;
  void cut_pair(State& first, State& second, Batch& batch) const;
  void finish(State& read, TrimCounts::Mate& counts) const;
  TrimReason judge(const State* reads, std::size_t count) const;
  void append_row(const State& read, TrimReason reason, std::string& rows) const;

  TrimSettings settings_;
  TrimCounts counts_;
};

}  // namespace basesweep
