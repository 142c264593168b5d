// Counts the reads of each guide in each sample.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lib/counting/guide_lookup.hpp"
#include "lib/counting/molecules.hpp"
#include "lib/reads/read_processor.hpp"
#include "lib/structure/read_layout.hpp"

namespace basesweep {

struct SampleCounts {
  std::string name;
  std::uint64_t reads = 0;              // pairs count once
  std::uint64_t exact = 0;              // those that are counted for a guide without an edit
  std::uint64_t edited = 0;             // and with one
  std::uint64_t ambiguous = 0;          // those that fit several guides equally well
  std::uint64_t unread_umis = 0;        // those that fit one guide, but have a UMI with a letter that is not a base
  std::vector<std::uint64_t> guides{};  // the reads, or with UMIs the molecules, of each guide of the library

  std::uint64_t counted() const { return exact + edited; }
  std::uint64_t unmatched() const { return reads - counted() - ambiguous - unread_umis; }
  std::uint64_t molecules() const { return std::accumulate(guides.begin(), guides.end(), std::uint64_t{0}); }
  std::size_t guides_without_reads() const;
  // The Gini index of log(count + 1), as MAGeCK has it: 0 if all guides have as many reads, near 1 if few have all.
  double gini() const;

  SampleCounts& operator+=(const SampleCounts& other);  // all but the name and the guides
};

// A file of reads.
struct CountedInput {
  std::uint32_t sample = 0;
  StrandWindows windows{};
};

struct GuideCounterOptions {
  bool paired = false;
  bool second_mates = false;  // hold the guides of pairs, else first mates do
  // The guide is in the insert of its mate; null: reads have no structure. Must outlive the counter.
  const ReadLayout* layout = nullptr;
};

class GuideCounter final : public ReadProcessor {
 public:
  // `inputs`: of each source of reads, see RawBlock::source. The lookup must outlive the counter.
  GuideCounter(const GuideLookup& lookup, std::size_t guides, std::vector<std::string> samples,
               std::vector<CountedInput> inputs, GuideCounterOptions options);

  ProcessedReads process(const ReadList& reads) const override;
  void take(const ReadCounts& counts) override;

  // Counts the molecules, after the last read.
  void finish();
  // Whether SampleCounts::guides are molecules.
  bool counts_molecules() const { return packer_ && packer_->any(); }
  const std::vector<SampleCounts>& samples() const { return samples_; }
  // Of each sample, if they are counted.
  std::vector<MoleculeSet>& molecules() { return molecules_; }

 private:
  struct BatchSample;
  struct SearchedReads;
  struct BatchCounts;
  void add(std::span<const InputRead> reads, const StrandWindows& windows, BatchSample& sample) const;
  void search_in(std::span<const InputRead> reads, SearchedReads& searched) const;

  const GuideLookup& lookup_;
  const std::vector<CountedInput> inputs_;
  const GuideCounterOptions options_;
  std::optional<BarcodePacker> packer_;  // of reads with a structure
  std::vector<SampleCounts> samples_;
  std::vector<MoleculeSet> molecules_;  // of each sample, if they are counted
};

}  // namespace basesweep
