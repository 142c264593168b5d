// Links from a place of a genome to browsers that show it.
#pragma once

#include <cstdint>
#include <string>

namespace basesweep {

// `genome`: the assembly, "hg38"; "": no links. `start`, `end`: 0-based, half-open. As HTML: IGV on this machine (its
// port 60151), UCSC, and Ensembl where it has the assembly. Of assemblies that both know, each gets its own name of the
// assembly and of chromosomes, such as hg38 and chrM, GRCh38 and MT.
std::string genome_links(const std::string& genome, const std::string& record, std::uint64_t start, std::uint64_t end);

}  // namespace basesweep
