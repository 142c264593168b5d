// Hits as bytes: a formatter encodes them and a sink decodes them. So hits come to the caller of the library by the
// same pipeline as to a file.
#pragma once

#include <basesweep/basesweep.hpp>
#include <cstdint>
#include <functional>
#include <memory>

#include "lib/search/pattern_set.hpp"
#include "lib/writer/byte_sink.hpp"
#include "lib/writer/formatter.hpp"

namespace basesweep {

// The texts of a hit to encode.
struct HitTexts {
  bool alignments = false;  // the matched text and the CIGAR
  bool aligned = false;     // pattern and text drawn with gaps
  std::uint32_t flank = 0;  // bases on both sides
};

// `patterns` must outlive the encoder.
std::unique_ptr<Formatter> make_hit_encoder(const PatternSet& patterns, const HitTexts& texts);

// Calls take(hit) for each hit that a hit encoder wrote. The hit's views are valid during the call.
class HitDecoder final : public ByteSink {
 public:
  explicit HitDecoder(std::function<void(SearchHit& hit)> take) : take_(std::move(take)) {}
  void write(std::string_view bytes) override;

 private:
  std::function<void(SearchHit& hit)> take_;
};

}  // namespace basesweep
