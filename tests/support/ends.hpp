// The ends that an approximate matcher finds beside those of the full matrix.
#pragma once

#include <cstdint>
#include <memory>
#include <memory_resource>
#include <string>
#include <vector>

#include "lib/matcher.hpp"
#include "lib/packed_batch.hpp"
#include "lib/pattern_set.hpp"

namespace support {

// Columns where the entries of a set end, each list in order.
struct Ends {
  std::vector<std::vector<std::uint32_t>> with_edits;       // of each entry
  std::vector<std::vector<std::uint32_t>> with_mismatches;  // likewise, of those that allow no indels
};

// In a text of A, C, G, T.
Ends expected_ends(const basesweep::PatternSet& set, const std::string& text);

// One piece of such a text, all of which the batch owns.
std::unique_ptr<basesweep::PackedBatch> text_batch(const std::string& text, const basesweep::PatternSet& set,
                                                   std::pmr::memory_resource* memory);

// What differs first, in words; "" where nothing does. `hamming` finds those of mismatches alone; so may `automatic`,
// which may choose it for entries without indels. Throws what the matcher threw.
std::string compare_ends(basesweep::Matcher& matcher, basesweep::Algorithm algorithm,
                         const basesweep::PackedBatch& batch, const basesweep::PatternSet& set, const Ends& expected);

}  // namespace support
