// Hits as bytes that a formatter prints and a sink takes apart again, so that they come to the caller of the library by
// the way that they come to a file.
#pragma once

#include <basesweep/basesweep.hpp>
#include <functional>
#include <memory>

#include "lib/pattern_set.hpp"
#include "lib/writer/byte_sink.hpp"
#include "lib/writer/formatter.hpp"

namespace basesweep {

// `alignments`: with text and CIGAR.
std::unique_ptr<Formatter> make_hit_encoder(const PatternSet& patterns, bool alignments);

// Calls take(hit) for each hit that was printed by a hit encoder.
class HitDecoder final : public ByteSink {
 public:
  explicit HitDecoder(std::function<void(SearchHit& hit)> take) : take_(std::move(take)) {}
  void write(std::string_view bytes) override;

 private:
  std::function<void(SearchHit& hit)> take_;
};

}  // namespace basesweep
