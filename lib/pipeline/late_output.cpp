#include "lib/pipeline/late_output.hpp"

#include <optional>

#include "lib/pipeline/hit_printer.hpp"

namespace basesweep {

LateOutput::LateOutput(const Options& options, const PatternSet& patterns, const Formatter* formatter, ByteSink* sink,
                       HitSelector& selector)
    : spool_(options.directory, options.threads),
      formatter_(formatter),
      sink_(sink),
      selector_(selector),
      select_again_(options.select_again) {
  if (options.split) split_.emplace(options.directory, options.threads, patterns);
}

void LateOutput::add(const PackedBatch& batch, std::span<const Hit> hits, const BatchStandings& standings) {
  const bool letters = formatter_ != nullptr && formatter_->needs_letters();
  const std::uint32_t flank = formatter_ != nullptr ? formatter_->flank() : 0;
  for_each_hit(
      batch, hits, letters, [this](const PlacedHit& hit) { add(hit); }, flank, &standings);
}

void LateOutput::add(const PlacedHit& hit) { split_ && !select_again_ ? split_->add(hit) : spool_.add(hit); }

// Calls `use` with the hits that are written, in the order of the output. Selects them again if that is to be done.
template <class Use>
void LateOutput::for_each_written(Use use) {
  if (split_ && !select_again_) return split_->replay(use);
  spool_.replay([&](const PlacedHit& spooled) {
    PlacedHit hit = spooled;
    if (select_again_ && !selector_.keep(hit.record, hit.start, hit.hit, hit.source, hit.circular_length)) return;
    split_ ? split_->add(hit) : use(hit);
  });
  if (split_) split_->replay(use);
}

void LateOutput::print(std::span<const RecordInfo> references, NameCheck& names) {
  std::optional<HitPrinter> printer;
  if (formatter_ != nullptr) {
    sink_->write(formatter_->header(references));
    printer.emplace(*formatter_, *sink_);
  }
  for_each_written([&](const PlacedHit& hit) {
    if (!printer) return;
    names.check(hit.record, hit.record_name, hit.source);
    printer->add(hit);
  });
  if (printer) printer->flush();
}

}  // namespace basesweep
