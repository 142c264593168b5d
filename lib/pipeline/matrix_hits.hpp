// Choices and sums over the hits of weight matrices: the best hits of each record, and tables.
//
// Hits come through the usual graph: an encoder, which is a Formatter, encodes them in parallel, with their scores, and
// a HitCollector, which is the sink, decodes them in output order.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lib/matrices/matrix_set.hpp"
#include "lib/rows/hit_codec.hpp"
#include "lib/rows/placed_hit.hpp"
#include "lib/writer/byte_sink.hpp"
#include "lib/writer/formatter.hpp"

namespace basesweep {

// A hit on its way to a collector.
struct ScoredHit : PlacedHit {
  std::int32_t score = 0;
};

template <class Codec>
void code(Codec& codec, Coded<Codec, ScoredHit>& hit) {
  code(codec, static_cast<Coded<Codec, PlacedHit>&>(hit));
  codec.number(hit.score);
}

// Makes the bytes of hits. The header, and what it needs, are those of `formatter`, which must outlive it.
std::unique_ptr<Formatter> make_matrix_encoder(const MatrixSet& matrices, const Formatter& formatter);

// The hits that were written in the end, when not all that were found are.
struct CollectedHits {
  std::vector<std::uint64_t> counts;  // of each query
  std::uint64_t hits = 0;
  bool truncated = false;  // there were more than --max-hits
};

// Takes the bytes of an encoder: the header first. Calls of write() and finish() come one after another.
class HitCollector : public ByteSink {
 public:
  explicit HitCollector(ByteSink& to) : to_(to) {}

  void write(std::string_view bytes) final;
  // All hits have come. Nothing: all count.
  virtual std::optional<CollectedHits> finish() = 0;
  // See PipelineOutput::see_record.
  virtual void see_record(std::int64_t /*reference*/, const std::string& /*name*/, std::uint32_t /*source*/) {}
  // See PipelineOutput::pass.
  virtual void pass(std::int64_t /*reference*/) {}
  // The rows of a table that were written; 0 for other output.
  std::uint64_t rows() const { return rows_; }

 protected:
  virtual void begin(std::string_view header) { to_.write(header); }
  virtual void take(const ScoredHit& hit) = 0;

  ByteSink& to_;
  std::uint64_t rows_ = 0;

 private:
  bool begun_ = false;
};

// --report best-per-record: of each record and matrix the hit with the best score, both strands together; of several,
// the leftmost, and + before -. Written in output order when the record is complete, at most `max_hits`.
std::unique_ptr<HitCollector> collect_best(const MatrixSet& matrices, const Formatter& formatter, ByteSink& to,
                                           std::optional<std::uint64_t> max_hits);

}  // namespace basesweep
