// How the text of a search is cut into batches.
#pragma once

#include <cstdint>
#include <optional>

#include "lib/align/resolver.hpp"
#include "lib/packer/batch_builder.hpp"
#include "lib/packer/packer.hpp"
#include "lib/search/matcher.hpp"

namespace basesweep {

class PatternSet;  // lib/search/pattern_set.hpp

// Occurrences that are expected at a position of random text. There are many in an exact search for patterns such as N,
// and where a third of a query's positions may be edits, since then most positions of any text end an alignment.
double expected_occurrences(const PatternSet& patterns);

// The most hits that a batch should have: BASESWEEP_BATCH_HITS, if this variable is set, else `usual`. Throws
// UsageError if it is no number above 0.
std::uint64_t max_hits_of_batch(std::uint64_t usual);
// The usual number. Batches of the CPU are small, and each thread has one. On a GPU (`slots`: of the matcher) batches
// are large.
constexpr std::uint64_t usual_hits(int slots) { return std::uint64_t{1} << (slots == 0 ? 17 : 22); }

// The most bases that a block of text or a batch should have, so that it has about `hits` hits, where there are
// `occurrences` at a position. The text may have more: see BatchQueue.
std::uint32_t max_batch_positions(double occurrences, std::uint64_t hits = std::uint64_t{1} << 22);
inline std::uint32_t max_batch_positions(const PatternSet& patterns) {
  return max_batch_positions(expected_occurrences(patterns));
}

// Positions beside those that a batch or a region owns, so that its hits, and `flank` bases on both sides of them, lie
// in it whole.
struct Halos {
  std::uint32_t left;
  std::uint32_t right;
};
// `reach`: hits that start up to so far behind the positions owned are needed too.
Halos halos(const PatternSet& patterns, Report report, std::uint32_t flank, std::uint32_t reach = 0);

// Batches of this many positions in which alignments of guides lie whole, PAM included. `reach`: the most text bases
// that one covers; two that stand for one place may start as far apart. `margin`: of them that may be N.
inline BatchOptions guide_batches(std::uint32_t positions, std::uint32_t reach, std::uint32_t margin) {
  BatchOptions batch;
  batch.batch_positions = positions;
  batch.max_length = reach;
  batch.halo_left = reach;
  batch.halo_right = 2 * reach;
  batch.approximate = true;
  batch.run_margin = margin;
  return batch;
}

// How large batches are.
struct BatchSize {
  std::uint32_t positions = 0;                   // that a batch owns; 0: as many as the matcher wants
  std::optional<std::int64_t> expected_bases{};  // of the input, if known
  int threads = 1;                               // that search, each a batch; not counting those of a GPU
  std::optional<double> occurrences{};           // expected at a position; nothing: expected_occurrences()
};

// Batches for a matcher, which must outlive the batcher. `flank`: bases that are shown on both sides of a hit. With
// `reach`, runs of N are left out only where no product spans them.
BatchOptions batch_options(const PatternSet& patterns, Report report, Matcher& matcher, const BatchSize& size,
                           std::uint32_t flank, std::uint32_t reach = 0);

}  // namespace basesweep
