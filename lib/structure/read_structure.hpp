// The layout of reads: which of their bases are template, barcodes, molecular barcodes and fixed sequence.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace basesweep {

enum class SegmentKind : std::uint8_t {
  insert,     // the template: T, or r
  sample,     // a barcode of samples: B
  cell,       // a barcode of cells: C, or b
  molecular,  // a molecular barcode (UMI): M, or u
  skip,       // bases that nobody wants: S, or x
  fixed,      // a sequence that all reads have: f
};
inline constexpr std::size_t kSegmentKinds = 6;

struct StructureSegment {
  static constexpr std::uint32_t kRest = std::numeric_limits<std::uint32_t>::max();

  SegmentKind kind = SegmentKind::insert;
  std::uint32_t min = 0;    // bases
  std::uint32_t max = 0;    // kRest: all that other segments leave
  std::string fixed{};      // IUPAC letters, of a fixed one
  std::uint32_t edits = 0;  // that the read may have in it
  std::string list{};       // the name of the list of its barcodes; "": none

  bool operator==(const StructureSegment&) const = default;
};

// A segment of a read: its bases [begin, end).
struct PlacedSegment {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;

  bool operator==(const PlacedSegment&) const = default;
};

class ReadStructure {
 public:
  ReadStructure() = default;
  // At most one segment takes the rest.
  explicit ReadStructure(std::vector<StructureSegment> segments);

  const std::vector<StructureSegment>& segments() const { return segments_; }
  // The fewest bases that a read needs.
  std::size_t min_length() const { return min_length_; }

  // Finds the segments in a read, which begin at its start and follow each other; bases that are left over at the end
  // are of none. Of all ways to place them, takes the one with the fewest edits in fixed segments; of several, the one
  // whose segments begin earliest, the first segment first. A letter in the read that is not A, C, G, T or U matches
  // nothing. Returns the edits; nothing if the read is too short, or has too many edits. Thread-safe.
  std::optional<std::uint32_t> place(std::string_view read, std::vector<PlacedSegment>& placed) const;

 private:
  std::optional<std::uint32_t> place_in_one_way(std::string_view read, std::vector<PlacedSegment>& placed) const;

  std::vector<StructureSegment> segments_;
  std::size_t min_length_ = 0;
  bool one_way_ = true;    // all lengths are known but for one segment's, and no edits are allowed
  bool has_rest_ = false;  // a segment takes the rest, so that the last one ends with the read
};

// Parses a read structure as fgbio and fqtk have it: "8B12M+T". Each segment is a number of bases, or + for the rest,
// once; then T, B, M, C or S. Throws UsageError, which shows the place of the fault.
ReadStructure parse_read_structure(std::string_view text);

// Parses the geometry of simpleaf, with a structure for each read from 1 on: "1{b[9-10]f[CAGAGC]u[8]x[0-3]r:}2{r:}".
// b (cell barcode), u (UMI), r (template) and x (skip) are followed by their bases in brackets or by ':' for the rest,
// f by a sequence in brackets. Besides: b<NAME>[16] names a list of barcodes, and f[CAGAGC]{1} allows so many edits.
// Throws UsageError, which shows the place of the fault.
std::vector<ReadStructure> parse_geometry(std::string_view text);

// Whether the text is a geometry rather than a read structure.
bool is_geometry(std::string_view text);

}  // namespace basesweep
