#include "lib/counting/molecules.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "lib/base/dna.hpp"
#include "lib/base/error.hpp"

namespace basesweep {
namespace {

constexpr std::size_t kMostBits = 96;
constexpr std::size_t kLeastRoom = 64;  // of new molecules, in each part

}  // namespace

BarcodePacker::BarcodePacker(const ReadLayout& layout) {
  std::uint64_t bits = 0;
  for (const SegmentKind kind : {SegmentKind::molecular, SegmentKind::cell}) {
    for (const LayoutSegment& at : layout.of(kind)) {
      const StructureSegment& segment = layout[at];
      const bool varies = segment.min != segment.max;
      segments_.push_back({at, segment.max, varies});
      bits += 2 * std::uint64_t{segment.max} + (varies ? 1 : 0);
    }
  }
  any_ = !layout.of(SegmentKind::molecular).empty();
  if (any_ && bits > kMostBits)
    throw UsageError(
        fmt::format("read structure {}: its UMIs and cell barcodes have more than {} bases together, which "
                    "is the most that can be counted{}",
                    layout.text(), kMostBits / 2, " (a UMI that takes the rest of a read has no limit)"));
}

std::optional<Molecule> BarcodePacker::pack(std::span<const std::string_view> mates, const PlacedMates& places) const {
  __extension__ using Wide = unsigned __int128;
  Wide word = 0;
  for (const Segment& segment : segments_) {
    const std::string_view bases = part_of(mates[segment.at.mate], places[segment.at.mate][segment.at.segment]);
    // Of lengths that vary, a bit before the first base tells the length.
    Wide own = segment.varies ? 1 : 0;
    for (const char base : bases) {
      if (!is_single_base(iupac_set(base))) return std::nullopt;
      own = own << 2U | base_code(base);
    }
    word = word << (2 * segment.most + (segment.varies ? 1 : 0)) | own;
  }
  return Molecule{static_cast<std::uint64_t>(word), static_cast<std::uint32_t>(word >> 64U), 0};
}

void MoleculeSet::Part::sort() {
  const auto middle = molecules.begin() + static_cast<std::ptrdiff_t>(sorted);
  std::sort(middle, molecules.end());
  std::inplace_merge(molecules.begin(), middle, molecules.end());
  molecules.erase(std::unique(molecules.begin(), molecules.end()), molecules.end());
  sorted = molecules.size();
}

void MoleculeSet::add(const Molecule& molecule) {
  const std::uint64_t hash =
      (molecule.low ^ std::rotl(std::uint64_t{molecule.high} << 32U | molecule.guide, 17)) * 0x9e3779b97f4a7c15U;
  Part& part = parts_[hash >> 56U];
  if (part.molecules.size() == part.molecules.capacity()) {
    part.sort();
    part.molecules.reserve(part.sorted + part.sorted / 4 + kLeastRoom);
  }
  part.molecules.push_back(molecule);
}

void MoleculeSet::count(std::vector<std::uint64_t>& counts) {
  for_each([&counts](const Molecule& molecule) { ++counts[molecule.guide]; });
}

std::size_t MoleculeSet::memory_bytes() const {
  std::size_t bytes = 0;
  for (const Part& part : parts_) bytes += part.molecules.capacity() * sizeof(Molecule);
  return bytes;
}

}  // namespace basesweep
