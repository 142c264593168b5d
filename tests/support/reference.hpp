// Hand-made references for `map`.
#pragma once

#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "lib/oracle/trial/batches.hpp"
#include "lib/packer/batcher.hpp"
#include "lib/packer/packer.hpp"
#include "lib/reads/reference.hpp"

namespace support {

// Returns records r0, r1, ... in one batch.
inline basesweep::Reference make_reference(const std::vector<std::string>& records, std::uint32_t run_margin = 20) {
  using namespace basesweep;
  Reference reference;
  const std::string text = trial::fasta_text(records, {});
  RawBlock block;
  block.bytes.assign(text.begin(), text.end());
  block.size = block.bytes.size();
  BatcherOptions options;
  options.batch.batch_positions = static_cast<std::uint32_t>(std::max<std::size_t>(text.size(), 1));
  options.batch.approximate = true;
  options.batch.run_margin = run_margin;
  options.keep_records = true;
  Batcher batcher(options, {"text.fa"}, [&](std::unique_ptr<PackedBatch> batch) {
    if (reference.text != nullptr) throw std::logic_error("more than one batch");
    reference.text = std::move(batch);
  });
  PackerOptions packing;
  packing.letters = true;
  batcher.add(pack(block, packing));
  batcher.finish();
  for (const RecordInfo& record : batcher.records()) {
    if (record.length != 0) reference.records.push_back(record);
  }
  return reference;
}

// Returns the position in the batch of a place in a record.
inline std::uint32_t position_of(const basesweep::Reference& reference, std::int64_t record, std::int64_t start) {
  for (const basesweep::Segment& segment : reference.text->segments()) {
    const std::int64_t position = segment.position + (start - segment.offset);
    if (segment.reference == record && start >= segment.offset && position < segment.end) {
      return static_cast<std::uint32_t>(position);
    }
  }
  throw std::logic_error("no such place");
}

}  // namespace support
