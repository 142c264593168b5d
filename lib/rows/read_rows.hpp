// Alignments of reads as rows.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "lib/reads/read_batch.hpp"
#include "lib/reads/reference.hpp"
#include "lib/rows/row.hpp"
#include "lib/rows/rows.hpp"
#include "lib/search/hit.hpp"

namespace basesweep {

// An alignment of a read, or a read that has none.
struct AlignedRead : PlacedRow {
  const Read* read = nullptr;
  const Hit* hit = nullptr;  // its query is odd on strand -; null: the read is not mapped
  std::uint64_t found = 0;   // alignments of the read, including those that are not written
  std::uint8_t mapq = 0;     // of this alignment
  bool primary = false;
};

// The alignment `hit` of a read on a reference, without mapping quality.
AlignedRead place_read(const Reference& reference, const Read& read, const Hit& hit);

// Rows are AlignedReads.
class ReadRows final : public Rows {
 public:
  // `reference` must outlive this.
  explicit ReadRows(const Reference& reference);

  void prepare(const Row& row, unsigned needs) const override;

  const Reference& reference() const { return reference_; }

 private:
  const Reference& reference_;
};

}  // namespace basesweep
