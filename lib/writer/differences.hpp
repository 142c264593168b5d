// What an alignment differs by, as `samtools calmd` has it.
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

// `query`: as it stands in SEQ; `letters`: the text that it is aligned to; `cigar`: of =, X, I and D. Letters match
// when they are the same IUPAC code and not N (bam_fillmd1_core in samtools' bam_md.c). Keeps the memory of `to`.
void find_differences(std::string_view query, std::string_view letters, std::span<const CigarRun> cigar,
                      Differences& to);

// The runs with M for = and X, in `to`.
void join_matches(std::span<const CigarRun> cigar, std::vector<CigarRun>& to);

}  // namespace basesweep
