#include "lib/pipeline/late_output.hpp"

#include <optional>

#include "lib/pipeline/hit_printer.hpp"

namespace basesweep {

LateOutput::LateOutput(const std::string& directory, int threads, const Formatter* formatter, ByteSink* sink,
                       HitSelector& selector, bool select_again)
    : spool_(directory, threads),
      formatter_(formatter),
      sink_(sink),
      selector_(selector),
      select_again_(select_again) {}

void LateOutput::add(const PackedBatch& batch, std::span<const Hit> hits, const BatchStandings& standings) {
  const bool letters = formatter_ != nullptr && formatter_->needs_letters();
  for_each_hit(
      batch, hits, letters, [this](const PlacedHit& hit) { spool_.add(hit); }, &standings);
}

void LateOutput::print(std::span<const RecordInfo> references) {
  std::optional<HitPrinter> printer;
  if (formatter_ != nullptr) {
    sink_->write(formatter_->header(references));
    printer.emplace(*formatter_, *sink_);
  }
  spool_.replay([&](const PlacedHit& spooled) {
    PlacedHit hit = spooled;
    if (select_again_ && !selector_.keep(hit.record, hit.start, hit.hit)) return;
    if (printer) printer->add(hit);
  });
  if (printer) printer->flush();
}

}  // namespace basesweep
