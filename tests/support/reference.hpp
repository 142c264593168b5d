// References of `map`, made by hand.
#pragma once

#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "lib/packer/batcher.hpp"
#include "lib/packer/packer.hpp"
#include "lib/reference.hpp"
#include "tests/support/batches.hpp"

namespace support {

// Records r0, r1, ... in one batch.
inline basesweep::Reference make_reference(const std::vector<std::string>& records, std::uint32_t run_margin = 20) {
  using namespace basesweep;
  Reference reference;
  const std::string text = fasta_text(records, {});
  RawBlock block;
  block.bytes.assign(text.begin(), text.end());
  block.size = block.bytes.size();
  BatcherOptions options;
  options.batch_columns = static_cast<std::uint32_t>(std::max<std::size_t>(text.size(), 1));
  options.approximate = true;
  options.run_margin = run_margin;
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

// Where a place of a record lies.
inline std::uint32_t column_of(const basesweep::Reference& reference, std::int64_t record, std::int64_t start) {
  for (const basesweep::Piece& piece : reference.text->pieces()) {
    const std::int64_t column = piece.column + (start - piece.offset);
    if (piece.reference == record && start >= piece.offset && column < piece.end) {
      return static_cast<std::uint32_t>(column);
    }
  }
  throw std::logic_error("no such place");
}

}  // namespace support
