// Molecules of reads: a guide with the molecular barcode (UMI) of its read and, if there is one, its cell barcode.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "lib/structure/read_layout.hpp"

namespace basesweep {

// The bases of the barcodes, and the guide.
struct Molecule {
  std::uint64_t low = 0;
  std::uint32_t high = 0;
  std::uint32_t guide = 0;

  auto operator<=>(const Molecule&) const = default;
};

// Packs the cell and molecular barcodes of reads with a layout.
class BarcodePacker {
 public:
  // Throws UsageError if the barcodes may have more than 48 bases together, or 47 if their lengths vary.
  explicit BarcodePacker(const ReadLayout& layout);

  // Whether there are molecular barcodes: else reads are counted one by one.
  bool any() const { return any_; }
  // The molecule of a read, without its guide; nothing if a barcode has a letter other than A, C, G, T and U. Different
  // barcodes give different molecules. Thread-safe.
  std::optional<Molecule> pack(std::span<const std::string_view> mates, const PlacedMates& places) const;

 private:
  struct Segment {
    LayoutSegment at;
    std::uint32_t most;  // bases
    bool varies;         // it may have fewer
  };

  std::vector<Segment> segments_;
  bool any_ = false;
};

// A set of molecules. They are sorted in parts by a hash, each of which gets new ones at its end and is sorted anew
// when these are a quarter of it: 16 bytes for each molecule, and a quarter more.
class MoleculeSet {
 public:
  MoleculeSet() : parts_(kParts) {}

  void add(const Molecule& molecule);
  // Calls `take` with each molecule once, in an order that depends on the set alone.
  template <class Take>
  void for_each(const Take& take) {
    for (Part& part : parts_) {
      part.sort();
      for (const Molecule& molecule : part.molecules) take(molecule);
    }
  }
  // Adds to counts[guide] the number of different molecules of each guide.
  void count(std::vector<std::uint64_t>& counts);
  std::size_t memory_bytes() const;

 private:
  static constexpr std::size_t kParts = 256;

  struct Part {
    std::vector<Molecule> molecules;
    std::size_t sorted = 0;  // so many are sorted and different, others come after them
    void sort();
  };

  std::vector<Part> parts_;
};

}  // namespace basesweep
