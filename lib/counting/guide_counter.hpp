// Counts the reads of each guide in each sample.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "lib/counting/guide_lookup.hpp"
#include "lib/reads/read_processor.hpp"

namespace basesweep {

struct SampleCounts {
  std::string name;
  std::uint64_t reads = 0;              // pairs count once
  std::uint64_t exact = 0;              // those that are counted for a guide without an edit
  std::uint64_t edited = 0;             // and with one
  std::uint64_t ambiguous = 0;          // those that fit several guides equally well
  std::vector<std::uint64_t> guides{};  // the reads of each guide of the library

  std::uint64_t counted() const { return exact + edited; }
  std::uint64_t unmatched() const { return reads - counted() - ambiguous; }
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
};

class GuideCounter final : public ReadProcessor {
 public:
  // `inputs`: of each source of reads, see RawBlock::source. The lookup must outlive the counter.
  GuideCounter(const GuideLookup& lookup, std::size_t guides, std::vector<std::string> samples,
               std::vector<CountedInput> inputs, GuideCounterOptions options);

  ProcessedReads process(const ReadList& reads) const override;
  void take(const ReadCounts& counts) override;

  const std::vector<SampleCounts>& samples() const { return samples_; }

 private:
  const GuideLookup& lookup_;
  const std::vector<CountedInput> inputs_;
  const GuideCounterOptions options_;
  std::vector<SampleCounts> samples_;
};

}  // namespace basesweep
