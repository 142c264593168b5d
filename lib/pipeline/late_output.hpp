// Hits that can only be printed when all input was seen.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "lib/pipeline/hit_selector.hpp"
#include "lib/record_info.hpp"
#include "lib/writer/byte_sink.hpp"
#include "lib/writer/formatter.hpp"
#include "lib/writer/hit_spool.hpp"

namespace basesweep {

// Keeps hits in a spool, then prints them. Without a formatter they are only selected once more, and so counted.
class LateOutput {
 public:
  // `select_again`: hits must pass HitSelector::keep() before they leave, as for `best`.
  LateOutput(const std::string& directory, int threads, const Formatter* formatter, ByteSink* sink,
             HitSelector& selector, bool select_again);

  // Batches in order. Not thread-safe.
  void add(const PackedBatch& batch, std::span<const Hit> hits);
  // After the last batch. Prints on all threads of the task arena that it is called in.
  void print(std::span<const RecordInfo> references);

 private:
  struct Part;

  void flush(std::vector<Part>& parts);

  HitSpool spool_;
  const Formatter* formatter_;
  ByteSink* sink_;
  HitSelector& selector_;
  bool select_again_;
};

}  // namespace basesweep
