// The molecules of chunks: on their way into a part, and from parts to those of the run.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "lib/counting/molecules.hpp"
#include "lib/parts/part_set.hpp"
#include "lib/rows/row_codec.hpp"

namespace basesweep {

// A row of a part of `count`, if molecules are counted: a molecule of a sample, each once.
struct MoleculeRow {
  std::uint32_t sample = 0;
  std::uint32_t guide = 0;
  std::uint32_t high = 0;
  std::int64_t low = 0;  // the bits of Molecule::low
};

// Molecules are nearly in the order of `low`, so that differences are small.
template <class Codec>
void code(Codec& codec, Coded<Codec, MoleculeRow>& row) {
  codec.number(row.sample);
  codec.number(row.guide);
  codec.number(row.high);
  codec.difference(row.low, codec.before.start);
  codec.before.start = row.low;
}

// Writes the molecules of all samples as rows.
void write_molecules(std::vector<MoleculeSet>& samples, PartWriter& part);

// Adds the molecules of all parts to those of the samples, so that one that several chunks have counts once. Throws
// DataError for one of a sample that there is not, or of none of so many guides.
void read_molecules(PartSet& parts, std::size_t guides, int threads, std::vector<MoleculeSet>& samples);

}  // namespace basesweep
