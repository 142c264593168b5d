#include "lib/pipeline/molecule_parts.hpp"

#include <string>

#include "lib/parts/part.hpp"
#include "lib/pipeline/part_blocks.hpp"

namespace basesweep {

void write_molecules(std::vector<MoleculeSet>& samples, PartWriter& part) {
  RowBlockBuilder block;
  for (std::uint32_t sample = 0; sample < samples.size(); ++sample) {
    samples[sample].for_each([&](const Molecule& molecule) {
      block.add(MoleculeRow{sample, molecule.guide, molecule.high, static_cast<std::int64_t>(molecule.low)});
      if (block.full()) part.add_rows(compress(block.take()));
    });
  }
  if (!block.empty()) part.add_rows(compress(block.take()));
}

void read_molecules(PartSet& parts, std::size_t guides, int threads, std::vector<MoleculeSet>& samples) {
  for_each_block<MoleculeRow>(parts, threads, [&](const std::vector<MoleculeRow>& rows, const std::string& path) {
    for (const MoleculeRow& row : rows) {
      if (row.sample >= samples.size() || row.guide >= guides) throw damaged_part(path, "it has a row that cannot be");
      samples[row.sample].add({static_cast<std::uint64_t>(row.low), row.high, row.guide});
    }
  });
}

}  // namespace basesweep
