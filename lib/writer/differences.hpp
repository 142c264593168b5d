// The differences of an alignment (NM and MD), as `samtools calmd` computes them.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "lib/align/trace.hpp"

namespace basesweep {

struct Differences {
  std::uint32_t count = 0;  // NM
  std::string text{};       // MD
};

// `query`: the letters of SEQ. `letters`: the text that they are aligned to. `cigar`: runs of =, X, M, I and D. Two
// letters match when they are the same IUPAC code and not N (bam_fillmd1_core in samtools' bam_md.c). Overwrites `to`,
// reusing its memory.
void find_differences(std::string_view query, std::string_view letters, std::span<const CigarRun> cigar,
                      Differences& to);

// Writes the runs to `to`, with M in place of = and X.
void join_matches(std::span<const CigarRun> cigar, std::vector<CigarRun>& to);

}  // namespace basesweep
