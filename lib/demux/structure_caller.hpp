// Says which sample a read with a structure is of, and which cell barcodes it has.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lib/demux/barcode_caller.hpp"
#include "lib/demux/mismatch_lookup.hpp"
#include "lib/demux/structure_sheet.hpp"
#include "lib/structure/cell_lists.hpp"

namespace basesweep {

// The result for a read or a pair. `call.strand` is '+' of an assigned read.
struct StructureCall {
  SampleCall call{};
  // The layout that the read was assigned by, and the places of its segments. Not set if the read fits none, or if it
  // is of no sample of a sheet.
  std::uint32_t layout = 0;
  bool placed = false;
  PlacedMates places{};
  std::vector<BarcodeMatch> cells{};  // of each cell segment of the layout, if it has a list; after match_cells()
};

// A read is of the sample with the fewest mismatches at the places where the sample's structure has barcodes, if they
// are at most its limit and no other sample has less than `margin` more. Without samples, it is of sample 0 if it fits
// the only layout. In both cases, each of its cell barcodes must be found in its list, if it has one. Thread-safe.
class StructureCaller {
 public:
  // `lists` must outlive the caller.
  StructureCaller(StructureSheet sheet, const CellLists& lists, std::uint32_t margin);

  const std::vector<ReadLayout>& layouts() const { return sheet_.layouts; }
  const std::vector<StructureSample>& samples() const { return sheet_.samples; }
  const CellLists& lists() const { return lists_; }

  // Finds the sample of a read, or of both mates, and the places of its segments.
  void find_sample(std::span<const std::string_view> mates, StructureCall& result) const;
  // After find_sample(): finds the cell barcodes. A read without one of them is of no sample.
  void match_cells(std::span<const std::string_view> mates, std::span<const std::string_view> qualities,
                   StructureCall& result) const;

 private:
  void assign(std::span<const std::string_view> mates, std::uint32_t sample, StructureCall& result) const;

  const StructureSheet sheet_;
  const CellLists& lists_;
  const std::uint32_t margin_;
  std::vector<std::map<std::size_t, MismatchLookup>> lookups_;  // of each layout, by the length of barcodes
};

}  // namespace basesweep
