// The layout of a read or of a pair: a structure for each of its mates.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lib/structure/read_structure.hpp"

namespace basesweep {

// A segment of a layout.
struct LayoutSegment {
  std::size_t mate = 0;     // 0 or 1
  std::size_t segment = 0;  // index in the structure of the mate
};

// Where the segments of each mate are.
using PlacedMates = std::array<std::vector<PlacedSegment>, 2>;

enum class LayoutFit : std::uint8_t {
  fits,
  too_short,  // a mate has fewer bases than its structure needs
  differs,    // a mate lacks a fixed sequence of its structure
};

class ReadLayout {
 public:
  ReadLayout() = default;

  // The number of mates: 1 for single reads.
  std::size_t mates() const { return mates_.size(); }
  const ReadStructure& operator[](std::size_t mate) const { return mates_[mate]; }
  const StructureSegment& operator[](LayoutSegment at) const { return mates_[at.mate].segments()[at.segment]; }
  // The segments of a kind: those of the first mate, then those of the second, in their order.
  const std::vector<LayoutSegment>& of(SegmentKind kind) const { return of_kind_[static_cast<std::size_t>(kind)]; }
  // The segment of a mate that is its insert; nothing if it has none.
  std::optional<std::size_t> insert(std::size_t mate) const { return inserts_[mate]; }
  // The only mate with an insert; nothing if two have one, or none.
  std::optional<std::size_t> only_insert() const;
  // As it was given, with a blank between two structures.
  const std::string& text() const { return text_; }

  // Finds the segments of a read, or of both mates. Thread-safe.
  LayoutFit place(std::span<const std::string_view> mates, PlacedMates& placed) const;

  friend ReadLayout parse_layout(std::span<const std::string> texts, SegmentKind plain_b);

 private:
  std::vector<ReadStructure> mates_;
  std::array<std::optional<std::size_t>, 2> inserts_{};
  std::array<std::vector<LayoutSegment>, kSegmentKinds> of_kind_{};
  std::string text_;
};

// Parses a read structure for each mate, or one geometry for all. `plain_b`: the kind of b without the name of a list,
// cell or sample. Throws UsageError, which shows the place of the fault; also for more than two mates, and for a mate
// with two inserts.
ReadLayout parse_layout(std::span<const std::string> texts, SegmentKind plain_b = SegmentKind::cell);
// The structures of a text, which have blanks or commas between them.
std::vector<std::string> split_structures(std::string_view text);

// Throws UsageError unless the layout is one of pairs, or of single reads. `option`: what gave it, for the message.
void check_mates(const ReadLayout& layout, bool paired, std::string_view option);

// The bases, or the qualities, of a segment.
inline std::string_view part_of(std::string_view read, PlacedSegment at) {
  return read.substr(at.begin, at.end - at.begin);
}

}  // namespace basesweep
