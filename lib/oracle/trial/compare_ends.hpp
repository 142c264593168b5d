// Compares the ends that an approximate matcher finds with those of the oracle's full matrix (lib/oracle/ends.hpp).
#pragma once

#include <cstdint>
#include <memory>
#include <memory_resource>
#include <string>
#include <vector>

#include "lib/search/algorithm.hpp"
#include "lib/search/matcher.hpp"
#include "lib/search/packed_batch.hpp"
#include "lib/search/pattern_set.hpp"

namespace trial {

// Positions of a text where alignments of each query end: the last position of the alignment, 0-based, in order.
struct Ends {
  std::vector<std::vector<std::uint32_t>> with_edits;       // mismatches and indels; one list for each query
  std::vector<std::vector<std::uint32_t>> with_mismatches;  // mismatches only; empty for queries that allow indels
  std::vector<std::vector<std::uint32_t>> with_clamps;      // those of them where clamped bases match
};

// The ends with mismatches only, for queries that allow no indels. `text`: of A, C, G and T.
Ends expected_mismatches(const basesweep::PatternSet& set, const std::string& text);

// All ends. `text`: of A, C, G and T.
Ends expected_ends(const basesweep::PatternSet& set, const std::string& text);

// A batch of such a text: one segment, all of whose positions the batch owns.
std::unique_ptr<basesweep::PackedBatch> text_batch(const std::string& text, const basesweep::PatternSet& set,
                                                   std::pmr::memory_resource* memory);

// Whether the algorithm finds the ends of this query with mismatches only.
bool counts_mismatches(basesweep::Algorithm algorithm, const basesweep::Query& query);

// Runs the matcher and describes the first difference; "" when there is none. Ends with mismatches may be left out
// where clamped bases do not match. `automatic` may choose an algorithm that finds mismatches only for queries without
// indels, so for those either list is right. Throws what the matcher throws.
std::string compare_ends(basesweep::Matcher& matcher, basesweep::Algorithm algorithm,
                         const basesweep::PackedBatch& batch, const basesweep::PatternSet& set, const Ends& expected);

}  // namespace trial
