#include "lib/pipeline/late_output.hpp"

#include "lib/pipeline/late_hits.hpp"
#include "lib/rows/hits_of_batch.hpp"
#include "lib/search/packed_batch.hpp"
#include "lib/search/pattern_set.hpp"

namespace basesweep {

LateOutput::LateOutput(const Options& options, const PatternSet& patterns, const Formatter* formatter, ByteSink* sink,
                       HitSelector& selector)
    : options_(options),
      patterns_(patterns),
      spool_(options.directory, options.threads),
      formatter_(formatter),
      sink_(sink),
      selector_(selector) {}

void LateOutput::add(const PackedBatch& batch, std::span<const Hit> hits, const BatchStandings& standings) {
  const bool letters = formatter_ != nullptr && formatter_->needs_letters();
  const std::uint32_t flank = formatter_ != nullptr ? formatter_->flank() : 0;
  for_each_hit(
      batch, hits, letters, [this](const PlacedHit& hit) { add(hit); }, flank, &standings);
}

void LateOutput::print(std::span<const RecordInfo> references, NameCheck& names) {
  if (formatter_ != nullptr) sink_->write(formatter_->header(references));
  spool_.rewind();
  const NextHits next = [this]() -> std::optional<StoredRows<PlacedHit>> {
    CompressedBlock block;
    if (!spool_.next_block(block)) return std::nullopt;
    return StoredRows<PlacedHit>{
        [this, block = std::make_shared<CompressedBlock>(std::move(block))] { return spool_.decode(*block); }};
  };
  write_late_hits({.select = options_.select_again,
                   .split = options_.split,
                   .threads = options_.threads,
                   .directory = options_.directory},
                  next, patterns_, selector_, names, formatter_, sink_);
}

}  // namespace basesweep
