// What plots show of rows, counted as the rows are written.
#pragma once

#include <memory>
#include <span>

#include "lib/rows/row.hpp"
#include "lib/search/hit.hpp"
#include "lib/writer/formatter.hpp"

namespace basesweep {

class PackedBatch;  // lib/search/packed_batch.hpp

// Thread-safe.
class RowTally {
 public:
  virtual ~RowTally() = default;

  // The parts of a row that count() uses besides its own fields, see need.
  virtual unsigned needs() const { return 0; }
  virtual void count(RowSpan rows) = 0;
  // The hits of a batch, as Formatter::append_hits() gets them.
  virtual void count(const PackedBatch& /*batch*/, std::span<const Hit> /*hits*/) {}
};

// A formatter that also counts the rows it formats. Both must outlive it.
std::unique_ptr<Formatter> counting_formatter(const Formatter& formatter, RowTally& tally);

}  // namespace basesweep
