// Reads in memory as batches of FASTA text.
#pragma once

#include <basesweep/basesweep.hpp>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "lib/reads/raw_reads.hpp"

namespace basesweep {

// Names end at their first blank.
class MemoryReads final : public RawReadSource {
 public:
  // The reads must outlive the source.
  MemoryReads(std::span<const NamedSequence> reads, std::size_t batch_bytes)
      : reads_(reads), batch_bytes_(batch_bytes) {}

  // Throws DataError for a line break in a read, and for one of 2^30 bases or more, after the reads before it.
  std::optional<RawReads> next() override;

 private:
  std::span<const NamedSequence> reads_;
  std::size_t batch_bytes_;
  std::size_t at_ = 0;  // the next read
  std::uint64_t batches_ = 0;
};

}  // namespace basesweep
