// Prints hits that no longer belong to a batch.
#pragma once

#include <vector>

#include "lib/writer/byte_sink.hpp"
#include "lib/writer/formatter.hpp"
#include "lib/writer/hit_copies.hpp"

namespace basesweep {

// Formats hits in parts, side by side on all threads of the task arena that it is called in, and writes them in the
// order of add(). Not thread-safe.
class HitPrinter {
 public:
  // Both must outlive this.
  HitPrinter(const Formatter& formatter, ByteSink& sink) : formatter_(formatter), sink_(sink), parts_(1) {}

  // Copies the hit; now and then formats and writes the hits so far.
  void add(const PlacedHit& hit);
  // Writes all hits that were added.
  void flush();

 private:
  const Formatter& formatter_;
  ByteSink& sink_;
  std::vector<HitCopies> parts_;
};

}  // namespace basesweep
